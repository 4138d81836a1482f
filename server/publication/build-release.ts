import 'server-only';
import type { Sha256Hex } from '#gateway/contract/ids.ts';
import { hashedPartOf, type ReleaseHeader, type ReleaseId, SECTION_KINDS } from '#gateway/contract/release.ts';
import type { Sections } from '#server/compile/model.ts';
import type { Signer } from './signer.ts';
import { type BuiltSection, MAX_PART_BYTES, sha256Of, splitSection } from './split-section.ts';

/** Lowest gateway version that can read what this console writes. */
export const MIN_GATEWAY_VERSION = '0.1.0';
/** Lowest gateway version that reads sections in parts. */
export const PARTS_GATEWAY_VERSION = '0.2.0';

/** Lowest gateway version that knows cached types. */
const CACHE_GATEWAY_VERSION = '0.2.0';

export interface BuiltRelease {
  readonly header: ReleaseHeader;
  /** What the header names and all parts below. */
  readonly sections: readonly BuiltSection[];
}

/**
 * Hashes the sections, makes the header over their hashes, and signs the header's hash. Writes the lowest format that
 * holds: 2 when a section lies in parts, which `inParts` permits; else 1.
 */
export async function buildRelease(input: {
  readonly id: ReleaseId;
  readonly createdAtMs: number;
  readonly previous: Sha256Hex | null;
  readonly sections: Sections;
  readonly inParts: boolean;
  readonly signer: Signer;
}): Promise<BuiltRelease> {
  const maxPartBytes = input.inParts ? MAX_PART_BYTES : Number.POSITIVE_INFINITY;
  const split = SECTION_KINDS.map((kind) => splitSection(kind, input.sections[kind].items, maxPartBytes));
  const hasParts = split.some(({ below }) => below.length > 0);
  const unsigned = {
    formatVersion: hasParts ? 2 : 1,
    ...input.id,
    createdAtMs: input.createdAtMs,
    minGatewayVersion: lowestVersionFor(input.sections, hasParts),
    sections: split.map(({ root: { kind, sha256 }, bytes }) => ({ kind, sha256, bytes })),
    previous: input.previous,
  };
  const sha256 = sha256Of(new TextEncoder().encode(hashedPartOf(unsigned)));
  return {
    header: { ...unsigned, sha256, signature: await input.signer.sign(sha256) },
    sections: split.flatMap(({ root, below }) => [root, ...below]),
  };
}

/** An older gateway then says that it is too old, instead of that it cannot read a section. */
function lowestVersionFor({ objectType, edgeType }: Sections, hasParts: boolean): string {
  if (hasParts) return PARTS_GATEWAY_VERSION;
  const isCached = [...objectType.items, ...edgeType.items].some(({ cache }) => cache !== undefined);
  return isCached ? CACHE_GATEWAY_VERSION : MIN_GATEWAY_VERSION;
}
