import {
  type AccountRegions,
  documentVersion,
  parseAccountDocument,
  publishDocument,
  readDocument,
} from './account-document.ts';
import { nearestFirst } from './nearest-first.ts';
import { createRegion, type Region, type RegionParts } from './region.ts';
import { HEADER_TIME, readTime, takeLease } from './shared-table.ts';

export interface TopologyOptions {
  /** The account's endpoint, as configured. */
  readonly endpoint: string;
  /** Names of regions, nearest first; the others follow in the order of the account document. */
  readonly preferredRegions: readonly string[];
  /** Where the endpoint of a region is reached from here; the URL itself unless something lies in between. */
  readonly reach: (url: string) => string;
}

/** Which regions the account has, which is near, and which takes writes: always what the account document says. */
export interface Topology {
  /** Nearest first; the configured endpoint alone until the account document was read. */
  reads(): readonly Region[];
  write(): Region;
  /** Name of the account; the configured host until the account document was read. */
  account(): string;
  /** Null once the document was read, or could not be read at first. */
  settling(): Promise<void> | null;
  /** Reads the account document again, unless a worker of this process did within the last 5 s. Never rejects. */
  refresh(): Promise<void>;
  /** The same when that was a minute ago: regions are added, and writes moved, without a word to their clients. */
  refreshWhenOld(): Promise<void>;
  close(): Promise<void>;
}

const REFRESH_EVERY_MS = 5_000;
/** Spreads the reads of gateways that lost their store at the same moment. */
const REFRESH_JITTER_MS = 1_000;
const OLD_AFTER_MS = 60_000;
const READ_TIMEOUT_MS = 1_500;
/** All tries together stay below the interval, so that never two workers publish at once. */
const MOST_TRIES = 3;

export function createTopology(options: TopologyOptions, parts: RegionParts): Topology {
  const { table, now, random } = parts;
  const map = createMap(options, parts);
  let settling: Promise<void> | null = null;
  let isSettled = false;

  async function refresh(): Promise<void> {
    const nowMs = now();
    const untilMs = nowMs + REFRESH_EVERY_MS + random() * REFRESH_JITTER_MS;
    if (!takeLease(table.headerTimes, HEADER_TIME.documentDue, { nowMs, untilMs })) return;
    const { write, reads } = map.current();
    for (const region of [...new Set([map.front, write, ...reads])].slice(0, MOST_TRIES)) {
      const document = await readAccount(region);
      if (document === null) continue;
      publishDocument(table, document);
      return void map.current();
    }
  }

  return {
    reads: () => map.current().reads,
    write: () => map.current().write,
    account: () => map.current().account,
    settling() {
      if (isSettled) {
        if (map.current().version === 0) void refresh();
        return null;
      }
      settling ??= refresh().finally(() => {
        isSettled = true;
      });
      return settling;
    },
    refresh,
    async refreshWhenOld() {
      const dueMs = readTime(table.headerTimes, HEADER_TIME.documentDue);
      if (map.current().version === 0 || Math.abs(now() - dueMs) >= OLD_AFTER_MS) await refresh();
    },
    close: map.close,
  };
}

interface Known {
  readonly account: string;
  readonly reads: readonly Region[];
  readonly write: Region;
  /** Of the document that says so; 0 before the first. */
  readonly version: number;
}

/** The account's regions as the newest document that any worker read says. */
function createMap(options: TopologyOptions, parts: RegionParts) {
  const { host } = new URL(options.endpoint);
  const front = createRegion({ url: options.endpoint, name: host }, parts);
  const byOrigin = new Map([[front.origin, front]]);
  let known: Known = { account: host, reads: [front], write: front, version: 0 };

  /** Regions are kept over changes of the document, so that their connections and what is known of them stay. */
  function regionOf({ name, url }: AccountRegions['write']): Region {
    const at = { name, url: options.reach(url) };
    const { origin } = new URL(at.url);
    const region = byOrigin.get(origin) ?? createRegion(at, parts);
    byOrigin.set(origin, region);
    region.name = name;
    return region;
  }

  function adopt(document: AccountRegions, version: number): void {
    const named = document.regions.map((one) => ({ name: one.name, region: regionOf(one) }));
    const reads = nearestFirst(named, options.preferredRegions).map(({ region }) => region);
    known = { account: document.account, reads, write: regionOf(document.write), version };
    for (const [origin, region] of byOrigin) {
      if (region === front || region === known.write || reads.includes(region)) continue;
      byOrigin.delete(origin);
      // What is in flight there ends by itself.
      void region.close();
    }
  }

  return {
    front,
    current(): Known {
      const version = documentVersion(parts.table);
      if (version === known.version) return known;
      const document = readDocument(parts.table, version);
      if (document !== null) adopt(document, version);
      return known;
    },
    async close() {
      await Promise.all([...byOrigin.values()].map((region) => region.close()));
    },
  };
}

/** Null when the region does not tell: whoever asked stays with what is known. */
async function readAccount(region: Region): Promise<AccountRegions | null> {
  try {
    return parseAccountDocument(await region.readAccount(AbortSignal.timeout(READ_TIMEOUT_MS)));
  } catch {
    return null;
  }
}
