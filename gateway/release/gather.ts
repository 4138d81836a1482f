import { type SectionKind, SectionParts } from '#gateway/contract/release.ts';
import { ReleaseRejected } from './release-rejected.ts';
import { sha256Of, type VerifiedHeader } from './verify.ts';

/** The bytes of sections and their parts by hash. */
export type SectionBytes = ReadonlyMap<string, Buffer>;

/** All bytes of a release, and which of them hold items. */
export interface Gathered {
  readonly bytes: SectionBytes;
  readonly leaves: readonly { readonly kind: SectionKind; readonly sha256: string; readonly bytes: Buffer }[];
}

/** Deeper than any release: sixteen parts a level hold 10,000 items in four. */
const MAX_DEPTH = 64;
/** How the console begins a section that lies in parts. */
const PARTS = Buffer.from('{"parts":');

/**
 * Walks from the hashes of a verified header down to the items, level by level. What `known` has is not asked for again;
 * the rest `fetch` answers, in order. Every byte is checked against the hash that led to it. Throws `ReleaseRejected` and
 * what `fetch` throws.
 */
export async function gather(
  header: VerifiedHeader,
  known: (sha256: string) => Buffer | undefined,
  fetch: (hashes: readonly string[]) => Promise<readonly Buffer[]>,
): Promise<Gathered> {
  const bytes = new Map<string, Buffer>();
  const leaves: Gathered['leaves'][number][] = [];
  let level = header.sections.map(({ kind, sha256 }) => ({ kind, sha256: sha256 as string }));
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) throw new ReleaseRejected('The parts of a section go too deep.');
    const lacking = level.filter(({ sha256 }) => known(sha256) === undefined);
    const fetched = await fetch([...new Set(lacking.map(({ sha256 }) => sha256))]);
    const fresh = new Map(fetched.map((body) => [sha256Of(body), body]));
    const below: typeof level = [];
    for (const { kind, sha256 } of level) {
      const body = known(sha256) ?? fresh.get(sha256);
      if (body === undefined) throw new ReleaseRejected(`Section ${kind} does not match its hash.`);
      bytes.set(sha256, body);
      if (body.subarray(0, PARTS.length).equals(PARTS)) below.push(...partsOf(kind, body));
      else leaves.push({ kind, sha256, bytes: body });
    }
    level = below;
  }
  return { bytes, leaves };
}

function partsOf(kind: SectionKind, body: Buffer): { kind: SectionKind; sha256: string }[] {
  try {
    return SectionParts.parse(JSON.parse(body.toString('utf8'))).parts.map((sha256) => ({ kind, sha256 }));
  } catch {
    throw new ReleaseRejected(`The parts of section ${kind} cannot be read.`);
  }
}
