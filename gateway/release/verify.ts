import { createHash } from 'node:crypto';
import { type CompactVerifyGetKey, compactVerify, errors } from 'jose';
import { ManifestStatement } from '#gateway/contract/machine-api.ts';
import {
  hashedPartOf,
  RELEASE_FORMAT,
  ReleaseHeader,
  SECTION_KINDS,
  SECTION_SCHEMAS,
  type SectionKind,
} from '#gateway/contract/release.ts';
import { GATEWAY_VERSION, isAtLeast } from '#gateway/version.ts';
import type { ReleaseContent } from './content.ts';

/** Why a release, or the statement that names it, is not taken. The text is for the console's release page. */
export class ReleaseRejected extends Error {
  override readonly name = 'ReleaseRejected';
}

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

/** Checks a header's hash, signature, format, minimum version and that every kind of section is known. */
export async function verifyHeader(bytes: Buffer, sha256: string, trust: CompactVerifyGetKey): Promise<ReleaseHeader> {
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
  const unknown = header.sections.find(({ kind }) => !isKnownKind(kind));
  if (unknown !== undefined) {
    throw new ReleaseRejected(`The release has a section of kind "${unknown.kind}", which this gateway does not know.`);
  }
  return header;
}

/** Parses the sections of a verified header, each checked against its hash. `bytesOf` gives a section's bytes. */
export function parseSections(header: ReleaseHeader, bytesOf: (sha256: string) => Buffer): ReleaseContent {
  const items: { [K in SectionKind]?: unknown } = {};
  for (const { kind, sha256 } of header.sections) {
    if (!isKnownKind(kind)) continue;
    if (items[kind] !== undefined) throw new ReleaseRejected(`The release has two sections of kind ${kind}.`);
    const bytes = bytesOf(sha256);
    if (sha256Of(bytes) !== sha256) throw new ReleaseRejected(`Section ${kind} does not match its hash.`);
    const section = SECTION_SCHEMAS[kind].safeParse(parseJson(bytes.toString('utf8'), `section ${kind}`));
    if (!section.success) {
      const [issue] = section.error.issues;
      const where = issue?.path.join('.') ?? '';
      throw new ReleaseRejected(`Section ${kind} cannot be read at ${where}: ${issue?.message ?? 'unknown shape'}.`);
    }
    items[kind] = section.data.items;
  }
  for (const kind of SECTION_KINDS) items[kind] ??= [];
  const { epoch, number, sha256 } = header;
  // Each entry was parsed by the schema of its own kind just above.
  return { id: { epoch, number }, sha256, items: items as ReleaseContent['items'] };
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

function isKnownKind(kind: string): kind is SectionKind {
  return (SECTION_KINDS as readonly string[]).includes(kind);
}

function sha256Of(data: string | Buffer): string {
  return createHash('sha256').update(data).digest('hex');
}
