import type { FeedPort } from '#gateway/feed/feed-port.ts';
import { type Denial, isDenial } from '#gateway/pipeline/denial.ts';
import type { StoreMeter, WriteCall } from '#gateway/pipeline/store-port.ts';
import { createParts, type StoreOptions } from '#gateway/store/create-store.ts';
import { applyEntry } from './apply-entry.ts';
import { type Census, takeCensus } from './census.ts';
import { entryChangeOf } from './entries.ts';
import { createLeases } from './leases.ts';
import { RANGES, spanOf } from './ranges.ts';
import { readItems } from './read-changes.ts';

export interface FeedStore extends FeedPort {
  /** Counts everything that is stored in a range. */
  census(range: string): Promise<Census | Denial>;
  /** Request units that were charged so far. */
  usedRu(): number;
  close(): Promise<void>;
}

const ENTRY_WITHIN_MS = 3_000;

/** What the worker over the change feed needs of the store, over connections of its own. */
export function createFeedStore(options: StoreOptions): FeedStore {
  const parts = createParts({ maxConnections: 16, ...options });
  let usedRu = 0;
  const meter: StoreMeter = {
    add: ({ ru }) => {
      usedRu += ru;
    },
  };
  const newCall = (): WriteCall => ({
    requestId: `feed-${parts.newUlid()}`,
    deadlineAtMs: parts.now() + ENTRY_WITHIN_MS,
    consistency: 'critical',
    session: [],
    idempotency: null,
    meter,
  });
  return {
    ranges: RANGES,
    ...createLeases(parts, meter),
    openFeed(range, position) {
      const items = readItems(parts, { span: spanOf(range), position, meter });
      return {
        async read() {
          const page = await items.read();
          if (isDenial(page)) return page;
          const entries = page.items.flatMap((item) => entryChangeOf(item) ?? []);
          const newest = page.items.at(-1);
          const newestMs = newest === undefined ? null : newest._ts * 1_000;
          return { kind: 'page', entries, position: page.position, isEnd: page.isEnd, newestMs };
        },
      };
    },
    applyEntry: (ref) => applyEntry(parts, ref, newCall()),
    census: (range) => takeCensus(parts, { span: spanOf(range), meter }),
    usedRu: () => usedRu,
    close: () => parts.account.close(),
  };
}
