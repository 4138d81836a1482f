import { createHash } from 'node:crypto';
import { type CompactVerifyGetKey, compactVerify, errors } from 'jose';
import { ManifestStatement } from '#gateway/contract/machine-api.ts';
import {
  hashedPartOf,
  RELEASE_FORMAT,
  ReleaseHeader,
  SECTION_KINDS,
  type SectionKind,
} from '#gateway/contract/release.ts';
import { GATEWAY_VERSION, isAtLeast } from '#gateway/version.ts';
import { ReleaseRejected } from './release-rejected.ts';

const ALGORITHMS = ['EdDSA', 'Ed25519'];

/** Checks the signature of a manifest and that it speaks to this gateway. Throws `ReleaseRejected`. */
export async function verifyManifest(
  jws: string,
  trust: CompactVerifyGetKey,
  gateway: string,
): Promise<ManifestStatement> {
  const payload = await verifySignature(jws, trust, 'manifest');
  const statement = ManifestStatement.safeParse(parseJson(payload, 'manifest'));
  if (!statement.success) throw new ReleaseRejected('The manifest has a shape that this gateway does not know.');
  if (statement.data.gateway === gateway) return statement.data;
  throw new ReleaseRejected(`The manifest is for gateway ${statement.data.gateway}, not for ${gateway}.`);
}

/**
 * What a manifest claims, unchecked: only to tell the console which release was not taken, never to act on it. Null when
 * it cannot be read at all.
 */
export function claimOf(jws: string): ManifestStatement['target'] | null {
  try {
    const payload = Buffer.from(jws.split('.')[1] ?? '', 'base64url').toString('utf8');
    return ManifestStatement.parse(JSON.parse(payload)).target;
  } catch {
    return null;
  }
}

/** A header of which everything was checked but the bytes of its sections. */
export interface VerifiedHeader extends Omit<ReleaseHeader, 'sections'> {
  readonly sections: readonly (ReleaseHeader['sections'][number] & { readonly kind: SectionKind })[];
}

/** Checks a header's hash, signature, format, minimum version, and that each kind of section is known and there once. */
export async function verifyHeader(bytes: Buffer, sha256: string, trust: CompactVerifyGetKey): Promise<VerifiedHeader> {
  const parsed = ReleaseHeader.safeParse(parseJson(bytes.toString('utf8'), 'release header'));
  if (!parsed.success) throw new ReleaseRejected('The release header has a shape that this gateway does not know.');
  const header = parsed.data;
  if (sha256Of(hashedPartOf(header)) !== header.sha256 || header.sha256 !== sha256) {
    throw new ReleaseRejected('The release header does not match its hash.');
  }
  if ((await verifySignature(header.signature, trust, 'release')) !== header.sha256) {
    throw new ReleaseRejected('The signature of the release is for another release.');
  }
  if (header.formatVersion > RELEASE_FORMAT) {
    throw new ReleaseRejected(`The release has format ${header.formatVersion}; this gateway reads ${RELEASE_FORMAT}.`);
  }
  if (!isAtLeast(GATEWAY_VERSION, header.minGatewayVersion)) {
    const needed = header.minGatewayVersion;
    throw new ReleaseRejected(`The release needs gateway version ${needed}; this is ${GATEWAY_VERSION}.`);
  }
  return {
    ...header,
    sections: header.sections.map((section) => ({ ...section, kind: knownKind(section.kind, header) })),
  };
}

function knownKind(kind: string, { sections }: ReleaseHeader): SectionKind {
  const known = SECTION_KINDS.find((one) => one === kind);
  if (known === undefined) {
    throw new ReleaseRejected(`The release has a section of kind "${kind}", which this gateway does not know.`);
  }
  if (sections.filter((section) => section.kind === kind).length === 1) return known;
  throw new ReleaseRejected(`The release has two sections of kind ${kind}.`);
}

async function verifySignature(jws: string, trust: CompactVerifyGetKey, what: string): Promise<string> {
  try {
    const { payload } = await compactVerify(jws, trust, { algorithms: ALGORITHMS });
    return new TextDecoder().decode(payload);
  } catch (error) {
    if (!(error instanceof errors.JOSEError)) throw error;
    throw new ReleaseRejected(`The signature of the ${what} does not hold: ${error.message}.`);
  }
}

function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ReleaseRejected(`The ${what} is not JSON.`);
  }
}

export function sha256Of(data: string | Buffer): string {
  return createHash('sha256').update(data).digest('hex');
}
