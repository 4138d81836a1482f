import {
  type AccountRegions,
  documentVersion,
  parseAccountDocument,
  publishDocument,
  readDocument,
} from './account-document.ts';
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

interface Known {
  readonly account: string;
  readonly reads: readonly Region[];
  readonly write: Region;
  readonly version: number;
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
  const { host } = new URL(options.endpoint);
  const front = createRegion({ url: options.endpoint, name: host }, parts);
  const byOrigin = new Map([[front.origin, front]]);
  let known: Known = { account: host, reads: [front], write: front, version: 0 };
  let settling: Promise<void> | null = null;
  let isSettled = false;

  function adopt(document: AccountRegions, version: number): void {
    const kept = new Set([front]);
    const regionOf = ({ name, url }: AccountRegions['write']): Region => {
      const region = regionAt({ name, url: options.reach(url) }, { byOrigin, parts });
      region.name = name;
      kept.add(region);
      return region;
    };
    const named = document.regions.map((one) => ({ name: one.name, region: regionOf(one) }));
    const reads = nearestFirst(named, options.preferredRegions).map(({ region }) => region);
    known = { account: document.account, reads, write: regionOf(document.write), version };
    for (const [origin, region] of byOrigin) {
      if (kept.has(region)) continue;
      byOrigin.delete(origin);
      // What is in flight there ends by itself.
      void region.close();
    }
  }

  /** What another worker read since. */
  function current(): Known {
    const version = documentVersion(table);
    if (version !== known.version) {
      const document = readDocument(table, version);
      if (document !== null) adopt(document, version);
    }
    return known;
  }

  async function refresh(): Promise<void> {
    const nowMs = now();
    const untilMs = nowMs + REFRESH_EVERY_MS + random() * REFRESH_JITTER_MS;
    if (!takeLease(table.headerTimes, HEADER_TIME.documentDue, { nowMs, untilMs })) return;
    const { write, reads } = current();
    for (const region of [...new Set([front, write, ...reads])].slice(0, MOST_TRIES)) {
      const document = await readAccount(region);
      if (document === null) continue;
      publishDocument(table, document);
      return void current();
    }
  }

  return {
    reads: () => current().reads,
    write: () => current().write,
    account: () => current().account,
    settling() {
      if (isSettled) {
        if (known.version === 0) void refresh();
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
      if (known.version === 0 || now() - dueMs >= OLD_AFTER_MS) await refresh();
    },
    async close() {
      await Promise.all([...byOrigin.values()].map((region) => region.close()));
    },
  };
}

/** The region of an endpoint: kept over changes of the document, so that its connections and what is known of it stay. */
function regionAt(
  at: { readonly name: string; readonly url: string },
  means: { readonly byOrigin: Map<string, Region>; readonly parts: RegionParts },
): Region {
  const { byOrigin, parts } = means;
  const { origin } = new URL(at.url);
  const found = byOrigin.get(origin);
  if (found !== undefined) return found;
  const made = createRegion(at, parts);
  byOrigin.set(origin, made);
  return made;
}

/** Null when the region does not tell: whoever asked stays with what is known. */
async function readAccount(region: Region): Promise<AccountRegions | null> {
  try {
    return parseAccountDocument(await region.readAccount(AbortSignal.timeout(READ_TIMEOUT_MS)));
  } catch {
    return null;
  }
}

function nearestFirst<T extends { readonly name: string }>(regions: readonly T[], preferred: readonly string[]): T[] {
  const wanted = preferred.map(plainName);
  const rankOf = ({ name }: T) => {
    const rank = wanted.indexOf(plainName(name));
    return rank === -1 ? wanted.length : rank;
  };
  return [...regions].sort((a, b) => rankOf(a) - rankOf(b));
}

/** `East US 2` and `eastus2` are one region, as for the SDK. */
function plainName(name: string): string {
  return name.toLowerCase().replaceAll(' ', '');
}
