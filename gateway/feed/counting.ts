import type { RangeReport } from '#gateway/contract/background.ts';
import { type Denial, isDenial } from '#gateway/pipeline/denial.ts';
import type { Census } from '#gateway/store/feed/census.ts';
import type { CountedEdge } from '#gateway/store/feed/counted-item.ts';
import { type DriftWatch, watchDrift } from './drift-watch.ts';
import { createEdgeSample } from './edge-sample.ts';
import type { FeedWorker } from './worker.ts';

/** A count reads everything that is stored, so it rests for many times as long as it took, and never less than this. */
const REST_MS = 60_000;
const REST_FACTOR = 20;
/** An edge that was written since then counts as written lately. */
const LATELY_MS = 24 * 60 * 60 * 1_000;

interface Options extends DriftWatch {
  readonly worker: Pick<FeedWorker, 'ranges' | 'drifts' | 'changeDrift'>;
  readonly store: DriftWatch['store'] & {
    census(range: string, onEdge: (edge: CountedEdge) => void): Promise<Census | Denial>;
  };
  readonly now: () => number;
  /** 0 ≤ value < 1. */
  readonly random: () => number;
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

/** Counts what is stored in the ranges that this gateway holds, one range after another, with long rests, and looks for drift. */
export function createCounting(options: Options): Counting {
  const { worker, store, now, random } = options;
  const counts = new Map<string, Count>();
  let underway: Promise<void> | null = null;

  async function count(range: string): Promise<void> {
    const startedMs = now();
    const sample = createEdgeSample(startedMs - LATELY_MS, random);
    const taken = await store.census(range, sample.offer).catch(() => null);
    const restMs = Math.max(REST_MS, REST_FACTOR * (now() - startedMs));
    const before = counts.get(range)?.stored ?? null;
    // A count that failed is tried again; what was counted before stays, with its time.
    if (taken === null || isDenial(taken)) {
      counts.set(range, { stored: before, dueMs: now() + REST_MS });
      return;
    }
    counts.set(range, { stored: { asOfMs: startedMs, sums: [...taken.sums] }, dueMs: now() + restMs });
    // What cannot be looked at now is looked at after the next count.
    await watchDrift(options, { range, census: taken, sample: sample.chosen() }).catch(() => undefined);
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
