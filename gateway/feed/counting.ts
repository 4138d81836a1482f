import type { RangeReport, StoredSum } from '#gateway/contract/background.ts';
import { type Denial, isDenial } from '#gateway/pipeline/denial.ts';
import type { FeedWorker } from './worker.ts';

/** A count reads everything that is stored, so it rests for many times as long as it took, and never less than this. */
const REST_MS = 60_000;
const REST_FACTOR = 20;

interface Options {
  readonly worker: Pick<FeedWorker, 'ranges'>;
  readonly store: {
    census(range: string): Promise<{ readonly kind: 'census'; readonly sums: readonly StoredSum[] } | Denial>;
  };
  readonly now: () => number;
}

export interface Counting {
  /** Begins a count when one is due; one at a time. Never rejects. */
  tick(): Promise<void>;
  newest(range: string): NonNullable<RangeReport['stored']> | null;
}

interface Count {
  readonly stored: NonNullable<RangeReport['stored']> | null;
  readonly dueMs: number;
}

/** Counts what is stored in the ranges that this gateway holds, one range after another, with long rests. */
export function createCounting({ worker, store, now }: Options): Counting {
  const counts = new Map<string, Count>();
  let underway: Promise<void> | null = null;

  async function count(range: string): Promise<void> {
    const startedMs = now();
    const taken = await store.census(range).catch(() => null);
    const restMs = Math.max(REST_MS, REST_FACTOR * (now() - startedMs));
    const before = counts.get(range)?.stored ?? null;
    // A count that failed is tried again; what was counted before stays, with its time.
    const isCounted = taken !== null && !isDenial(taken);
    const stored = isCounted ? { asOfMs: startedMs, sums: [...taken.sums] } : before;
    counts.set(range, { stored, dueMs: now() + (isCounted ? restMs : REST_MS) });
  }
  return {
    tick() {
      if (underway !== null) return underway;
      const held = worker.ranges().map(({ range }) => range);
      for (const range of counts.keys()) if (!held.includes(range)) counts.delete(range);
      const due = held.find((range) => (counts.get(range)?.dueMs ?? 0) <= now());
      if (due === undefined) return Promise.resolve();
      underway = count(due).finally(() => {
        underway = null;
      });
      return underway;
    },
    newest: (range) => counts.get(range)?.stored ?? null,
  };
}
