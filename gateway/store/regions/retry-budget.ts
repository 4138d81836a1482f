import { CELL, type Slot, TIME, takeLease } from './shared-table.ts';

/**
 * How often the workers of a process may together send the same request to one region again because the region was unwell.
 * Without it each caller of a region that is too slow asks two or three times, which keeps it too slow.
 */
export interface RetryBudget {
  /** Each attempt pays in, a repeated one too. */
  earn(nowMs: number): void;
  /** Takes one retry; false when there is none left. */
  spend(nowMs: number): boolean;
}

/** Thousandths of a retry. An attempt earns a fifth: repeated ones are at most a fifth of all, beyond what is saved. */
const EARNED = 200;
const COST = 1_000;
/** Saved at most, and to begin with: a burst of resets is retried in full. */
const MOST = 100 * COST;
/** One more is earned by time, so that the few requests of a quiet gateway can always be retried. */
const EARN_EVERY_MS = 100;

/** The cell holds what was taken and not yet earned again, so that zeroed memory is a full budget. */
export function createRetryBudget({ cells, times }: Slot): RetryBudget {
  /** Adds to what is owed, never below nothing; false when that would be too much. */
  function owe(change: number): boolean {
    for (;;) {
      const owed = Atomics.load(cells, CELL.retriesOwed);
      const next = Math.max(0, owed + change);
      if (next > MOST) return false;
      if (next === owed || Atomics.compareExchange(cells, CELL.retriesOwed, owed, next) === owed) return true;
    }
  }

  function earnByTime(nowMs: number): void {
    if (Atomics.load(cells, CELL.retriesOwed) === 0) return;
    if (takeLease(times, TIME.retryDue, { nowMs, untilMs: nowMs + EARN_EVERY_MS })) owe(-COST);
  }

  return {
    earn(nowMs) {
      owe(-EARNED);
      earnByTime(nowMs);
    },
    spend(nowMs) {
      earnByTime(nowMs);
      return owe(COST);
    },
  };
}
