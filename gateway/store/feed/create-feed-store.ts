import { isDriftRef } from '#gateway/feed/drift-entry.ts';
import type { DriftStore } from '#gateway/feed/drift-watch.ts';
import type { FeedPort } from '#gateway/feed/feed-port.ts';
import { type Denial, isDenial } from '#gateway/pipeline/denial.ts';
import type { StoreMeter, WriteCall } from '#gateway/pipeline/store-port.ts';
import { createParts, type StoreOptions } from '#gateway/store/create-store.ts';
import { checkPair } from '#gateway/store/repair/check-pair.ts';
import type { Pair } from '#gateway/store/repair/pair.ts';
import { applyEntry } from './apply-entry.ts';
import { type Census, takeCensus } from './census.ts';
import type { CountedEdge } from './counted-item.ts';
import { entryChangeOf } from './entries.ts';
import { type FeedRules, pairOfDrift, pairOfEdge } from './feed-rules.ts';
import { createLeases } from './leases.ts';
import { RANGES, spanOf } from './ranges.ts';
import { readItems } from './read-changes.ts';
import { createRecounts } from './recount-object.ts';

export interface FeedStore extends FeedPort, DriftStore {
  /** Counts everything that is stored in a range; `onEdge` is told of every live edge. */
  census(range: string, onEdge?: (edge: CountedEdge) => void): Promise<Census | Denial>;
  /** Request units that were charged so far. */
  usedRu(): number;
  close(): Promise<void>;
}

const ENTRY_WITHIN_MS = 3_000;
const RECOUNT_WITHIN_MS = 300_000;

/** What the worker over the change feed needs of the store, over connections of its own. */
export function createFeedStore(options: StoreOptions, rules: FeedRules): FeedStore {
  const parts = createParts({ maxConnections: 16, ...options });
  let usedRu = 0;
  const meter: StoreMeter = {
    add: ({ ru }) => {
      usedRu += ru;
    },
  };
  const newCall = (withinMs = ENTRY_WITHIN_MS): WriteCall => ({
    requestId: `feed-${parts.newUlid()}`,
    deadlineAtMs: parts.now() + withinMs,
    consistency: 'critical',
    session: [],
    idempotency: null,
    meter,
  });
  const recountObject = createRecounts(parts, { rules, newCall: () => newCall(RECOUNT_WITHIN_MS) });
  const check = async (pair: Pair | null) => (pair === null ? null : checkPair(parts, pair, newCall()));
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
    applyEntry: (ref) => (isDriftRef(ref) ? recountObject(ref.pk) : applyEntry(parts, ref, newCall())),
    census: (range, onEdge = () => undefined) => takeCensus(parts, { span: spanOf(range), meter, onEdge }),
    checkEdge: (edge) => check(pairOfEdge(rules, edge)),
    checkNamed: (pk, named) => check(pairOfDrift(rules, pk, named)),
    usedRu: () => usedRu,
    close: () => parts.account.close(),
  };
}
