import type { CompactVerifyGetKey } from 'jose';
import type { ReleaseId } from '#gateway/contract/release.ts';
import { buildTable } from './build-table.ts';
import type { ConsoleClient } from './console-client.ts';
import { bodyOf, fetchSections } from './fetch-sections.ts';
import { type Gathered, gather, type SectionBytes } from './gather.ts';
import type { LastGood } from './last-good.ts';
import { type Leaf, readLeaf } from './leaf.ts';
import { ReleaseRejected } from './release-rejected.ts';
import { type VerifiedHeader, verifyHeader } from './verify.ts';

/** A verified release as all threads read it. */
export interface LoadedRelease {
  readonly id: ReleaseId;
  readonly sha256: string;
  /** See table.ts. */
  readonly table: SharedArrayBuffer;
  /** Spent on checking and laying out, without the wait for the console, milliseconds. */
  readonly parseMs: number;
}

/** Where releases come from. What it once read stays until another release took its place. */
export interface ReleaseSource {
  /** Fetches and verifies a release: of its sections only those that it lacks. Throws `ReleaseRejected` or `ConsoleAway`. */
  fetch(sha256: string): Promise<LoadedRelease>;
  /** The release that was kept on disk, null when there is none. Throws `ReleaseRejected`. */
  kept(): Promise<LoadedRelease | null>;
  /** This release is live: keeps it on disk, and forgets what only others needed. Throws when the disk refuses. */
  keep(sha256: string): Promise<void>;
}

export interface SourcePorts {
  readonly client: ConsoleClient;
  readonly trust: CompactVerifyGetKey;
  readonly lastGood: LastGood;
  readonly nowMs: () => number;
}

/** A release in memory: its bytes, and its items by kind and hash. */
interface Held {
  readonly sha256: string;
  readonly header: Buffer;
  readonly bytes: SectionBytes;
  readonly leaves: ReadonlyMap<string, Leaf>;
}

export function createReleaseSource({ client, trust, lastGood, nowMs }: SourcePorts): ReleaseSource {
  // The one served and the one being tried.
  let served: Held | null = null;
  let tried: Held | null = null;
  const known = (sha256: string) => served?.bytes.get(sha256) ?? tried?.bytes.get(sha256);
  const knownLeaf = (key: string) => served?.leaves.get(key) ?? tried?.leaves.get(key);
  const load = (header: { readonly bytes: Buffer; readonly verified: VerifiedHeader }, { bytes, leaves }: Gathered) => {
    const startedMs = nowMs();
    const read = new Map(
      leaves.map(({ kind, sha256, bytes }) => {
        const key = `${kind}/${sha256}`;
        return [key, knownLeaf(key) ?? readLeaf(kind, bytes)];
      }),
    );
    const table = buildTable([...read.values()]);
    const { epoch, number, sha256 } = header.verified;
    const held: Held = { sha256, header: header.bytes, bytes, leaves: read };
    return { held, loaded: { id: { epoch, number }, sha256, table, parseMs: nowMs() - startedMs } };
  };
  return {
    fetch: async (sha256) => {
      const bytes = bodyOf(await client.get(`releases/${sha256}`), 'release');
      const verified = await verifyHeader(bytes, sha256, trust);
      const gathered = await gather(verified, known, (hashes) => fetchSections(hashes, client));
      const { held, loaded } = load({ bytes, verified }, gathered);
      tried = held;
      return loaded;
    },
    kept: async () => {
      const stored = lastGood.read();
      if (stored === null) return null;
      const verified = await verifyHeader(stored.header, stored.sha256, trust);
      const gathered = await gather(verified, (sha256) => stored.sections.get(sha256), missing);
      const { held, loaded } = load({ bytes: stored.header, verified }, gathered);
      served = held;
      return loaded;
    },
    keep: async (sha256) => {
      const live = tried?.sha256 === sha256 ? tried : served;
      if (live === null || live.sha256 !== sha256) throw new Error('Another release came in between.');
      served = live;
      tried = null;
      lastGood.write({ sha256, header: live.header, sections: live.bytes });
    },
  };
}

function missing(hashes: readonly string[]): Promise<readonly Buffer[]> {
  const [first] = hashes;
  if (first !== undefined) throw new ReleaseRejected(`Section ${first} is missing.`);
  return Promise.resolve([]);
}
