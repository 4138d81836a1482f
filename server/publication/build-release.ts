import 'server-only';
import { createHash } from 'node:crypto';
import { Sha256Hex } from '#gateway/contract/ids.ts';
import {
  canonicalJson,
  hashedPartOf,
  RELEASE_FORMAT,
  type ReleaseHeader,
  type ReleaseId,
  SECTION_KINDS,
  type SectionKind,
} from '#gateway/contract/release.ts';
import type { Sections } from '#server/compile/model.ts';
import type { Signer } from './signer.ts';

/** Lowest gateway version that can read what this console writes. */
export const MIN_GATEWAY_VERSION = '0.1.0';

export interface BuiltSection {
  readonly kind: SectionKind;
  readonly sha256: Sha256Hex;
  readonly content: Uint8Array<ArrayBuffer>;
}

export interface BuiltRelease {
  readonly header: ReleaseHeader;
  readonly sections: readonly BuiltSection[];
}

/** Hashes the sections, makes the header over their hashes, and signs the header's hash. */
export async function buildRelease(input: {
  readonly id: ReleaseId;
  readonly createdAtMs: number;
  readonly previous: Sha256Hex | null;
  readonly sections: Sections;
  readonly signer: Signer;
}): Promise<BuiltRelease> {
  const sections = SECTION_KINDS.map((kind): BuiltSection => {
    const content = new TextEncoder().encode(canonicalJson(input.sections[kind]));
    return { kind, sha256: sha256Of(content), content };
  });
  const unsigned = {
    formatVersion: RELEASE_FORMAT,
    ...input.id,
    createdAtMs: input.createdAtMs,
    minGatewayVersion: MIN_GATEWAY_VERSION,
    sections: sections.map(({ kind, sha256, content }) => ({ kind, sha256, bytes: content.length })),
    previous: input.previous,
  };
  const sha256 = sha256Of(new TextEncoder().encode(hashedPartOf(unsigned)));
  return { header: { ...unsigned, sha256, signature: await input.signer.sign(sha256) }, sections };
}

function sha256Of(bytes: Uint8Array): Sha256Hex {
  return Sha256Hex.parse(createHash('sha256').update(bytes).digest('hex'));
}
