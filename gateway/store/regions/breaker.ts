import { CELL, readTime, type Slot, TIME, takeLease, writeTime } from './shared-table.ts';

export type BreakerState = 'closed' | 'open' | 'halfOpen';

/** What an attempt said of the region's health. Throttling says that it is well. */
export type Verdict = 'well' | 'unwell' | 'unclear';

/**
 * `normal` in a closed breaker; `probe`: the one attempt that finds out whether the region answers again; `forced`: sent
 * although the breaker lets nothing pass.
 */
export type Admission = 'normal' | 'probe' | 'forced';

/** The breaker of one region, shared by all workers of the process. */
export interface Breaker {
  state(nowMs: number): BreakerState;
  /** When it opened, or closed after that; null when it never opened. */
  sinceMs(): number | null;
  /** When the next probe may go; 0 in a closed breaker. */
  probeAtMs(): number;
  /**
   * Null: nothing is to be sent now. With `isLastResort`, for a read that no other region can serve, an open breaker lets
   * one attempt pass before its time.
   */
  admit(nowMs: number, isLastResort?: boolean): 'normal' | 'probe' | null;
  report(
    attempt: { readonly admission: Admission; readonly startedAtMs: number },
    verdict: Verdict,
    nowMs: number,
  ): void;
}

/** Opens after so many failures in a row, if nothing succeeded for so long: a burst of resets is no outage. */
const STREAK = 5;
const STREAK_SPAN_MS = 500;
/** Opens as well when so large a part of the attempts of the last 5 to 10 seconds failed, given so many attempts. */
const WINDOW_MS = 5_000;
const MIN_ATTEMPTS = 50;
const FAILED_SHARE = 0.5;
/** How long it stays open: doubled by each probe that fails. The jitter keeps gateways from probing together. */
const FIRST_OPEN_MS = 1_000;
const MOST_OPEN_MS = 5_000;
const JITTER = 0.2;
/** Another probe may go after this, whether the worker of the last one died or its write still waits for a late reply. */
const PROBE_LEASE_MS = 3_000;
/** The least time between probes of an open breaker. */
const PROBE_PAUSE_MS = 100;

/** docs/decisions/0013 says why the numbers are these. */
export function createBreaker(slot: Slot, random: () => number): Breaker {
  const { cells, times } = slot;
  const isTripped = () => Atomics.load(cells, CELL.tripped) === 1;
  // Whatever lies farther ahead is left from before the clock was set back.
  const mustWait = (nowMs: number) => {
    const leftMs = readTime(times, TIME.openUntil) - nowMs;
    return leftMs > 0 && leftMs <= MOST_OPEN_MS * (1 + JITTER);
  };
  return {
    state(nowMs) {
      if (!isTripped()) return 'closed';
      return mustWait(nowMs) ? 'open' : 'halfOpen';
    },
    sinceMs() {
      const since = readTime(times, TIME.since);
      return since === 0 ? null : since;
    },
    probeAtMs: () => (isTripped() ? readTime(times, TIME.openUntil) : 0),
    admit(nowMs, isLastResort = false) {
      if (!isTripped()) return 'normal';
      if (!isLastResort && mustWait(nowMs)) return null;
      return takeLease(times, TIME.probeUntil, { nowMs, untilMs: nowMs + PROBE_LEASE_MS }) ? 'probe' : null;
    },
    report(attempt, verdict, nowMs) {
      if (attempt.admission === 'probe') return judgeProbe(slot, verdict, { nowMs, random });
      if (attempt.admission === 'forced' && verdict === 'well' && isTripped()) return close(slot, nowMs);
      // What was sent before the breaker opened says nothing new.
      if (verdict === 'unclear' || isTripped()) return;
      const hasFailed = verdict === 'unwell';
      if (count(slot, { hasFailed, startedAtMs: attempt.startedAtMs }, nowMs)) trip(slot, { nowMs, random });
    },
  };
}

interface Moment {
  readonly nowMs: number;
  readonly random: () => number;
}

function trip(slot: Slot, moment: Moment): void {
  Atomics.store(slot.cells, CELL.failedProbes, 0);
  stayOpen(slot, 0, moment);
  if (Atomics.compareExchange(slot.cells, CELL.tripped, 0, 1) === 0) writeTime(slot.times, TIME.since, moment.nowMs);
}

function stayOpen({ times }: Slot, failedProbes: number, { nowMs, random }: Moment): void {
  const openMs = Math.min(MOST_OPEN_MS, FIRST_OPEN_MS * 2 ** failedProbes) * (1 + JITTER * (2 * random() - 1));
  writeTime(times, TIME.openUntil, nowMs + openMs);
}

function judgeProbe(slot: Slot, verdict: Verdict, moment: Moment): void {
  const { cells, times } = slot;
  if (verdict === 'well') close(slot, moment.nowMs);
  if (verdict === 'unwell') stayOpen(slot, Atomics.add(cells, CELL.failedProbes, 1) + 1, moment);
  writeTime(times, TIME.probeUntil, verdict === 'unwell' ? moment.nowMs + PROBE_PAUSE_MS : 0);
}

function close({ cells, times }: Slot, nowMs: number): void {
  for (const cell of COUNTED) Atomics.store(cells, cell, 0);
  writeTime(times, TIME.since, nowMs);
  Atomics.store(cells, CELL.tripped, 0);
}

const COUNTED = [CELL.streak, CELL.attempts, CELL.failures, CELL.attemptsBefore, CELL.failuresBefore] as const;

/** Counts an attempt; true when the breaker is to open. */
function count(
  { cells, times }: Slot,
  attempt: { readonly hasFailed: boolean; readonly startedAtMs: number },
  nowMs: number,
): boolean {
  turnWindow(cells, nowMs);
  Atomics.add(cells, CELL.attempts, 1);
  if (!attempt.hasFailed) {
    if (Atomics.load(cells, CELL.streak) !== 0) Atomics.store(cells, CELL.streak, 0);
    return false;
  }
  Atomics.add(cells, CELL.failures, 1);
  const streak = Atomics.add(cells, CELL.streak, 1) + 1;
  // A time-out began to fail when it was sent.
  if (streak === 1) writeTime(times, TIME.streakSince, attempt.startedAtMs);
  if (streak >= STREAK && Math.abs(nowMs - readTime(times, TIME.streakSince)) >= STREAK_SPAN_MS) return true;
  const attempts = Atomics.load(cells, CELL.attempts) + Atomics.load(cells, CELL.attemptsBefore);
  const failures = Atomics.load(cells, CELL.failures) + Atomics.load(cells, CELL.failuresBefore);
  return attempts >= MIN_ATTEMPTS && failures >= attempts * FAILED_SHARE;
}

/** Two windows side by side slide well enough. Threads that meet here may lose a few counts, never a breaker's state. */
function turnWindow(cells: Int32Array, nowMs: number): void {
  const window = Math.floor(nowMs / WINDOW_MS) | 0;
  const counted = Atomics.load(cells, CELL.window);
  if (window === counted || Atomics.compareExchange(cells, CELL.window, counted, window) !== counted) return;
  const isNext = window === counted + 1;
  Atomics.store(cells, CELL.attemptsBefore, isNext ? Atomics.load(cells, CELL.attempts) : 0);
  Atomics.store(cells, CELL.failuresBefore, isNext ? Atomics.load(cells, CELL.failures) : 0);
  Atomics.store(cells, CELL.attempts, 0);
  Atomics.store(cells, CELL.failures, 0);
}
