/** After so many attempts that failed for a reason of its own, an entry rests until somebody asks for another try. */
export const MOST_FAILURES = 20;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 300_000;
/** Bounds how long after an outage an entry still waits. */
const LONGEST_OUTAGE_WAIT_MS = 5_000;

/** Refusals that say nothing of the entry: the store is away or busy, or the target is being deleted and will be open again. */
const PASSING = new Set([
  'store_unavailable',
  'store_throttled',
  'deadline_exceeded',
  'outcome_unknown',
  'write_contended',
  'delete_in_progress',
]);

export function isPassing(code: string): boolean {
  return PASSING.has(code);
}

/** How long an entry waits after that many attempts in a row, counted from 1. */
export function waitMs(attempts: number, isPassingReason: boolean): number {
  const longest = isPassingReason ? LONGEST_OUTAGE_WAIT_MS : LONGEST_WAIT_MS;
  return Math.min(FIRST_WAIT_MS * 2 ** Math.min(attempts - 1, 20), longest);
}
