import { hashText } from '#gateway/store/hash-text.ts';

/**
 * What the workers of a process know together of the regions of their account: breakers, leases of health checks, the
 * account document as one of them read it, and the budgets of hedged reads and of retries. One SharedArrayBuffer, so that a region that
 * one worker found unwell is skipped by all, and a worker that is started again takes up what the others know.
 */
export interface RegionTable {
  /** Numbers of the process, by `HEADER`. */
  readonly header: Int32Array;
  /** Epoch milliseconds of the process, by `HEADER_TIME`. */
  readonly headerTimes: BigInt64Array;
  /** `CELLS` numbers a slot. */
  readonly cells: Int32Array;
  /** `TIMES` epoch milliseconds a slot. */
  readonly times: BigInt64Array;
  readonly document: Uint8Array;
}

export const HEADER = { documentVersion: 0, documentLength: 1, hedgeTokens: 2 } as const;
/** When the account document may be read next. */
export const HEADER_TIME = { documentDue: 0 } as const;

export const CELL = {
  origin: 0,
  /** 1 while the breaker is open or half open. */
  tripped: 1,
  /** Failures since the last success. */
  streak: 2,
  /** Number of the window that the counts of `attempts` and `failures` belong to. */
  window: 3,
  attempts: 4,
  failures: 5,
  attemptsBefore: 6,
  failuresBefore: 7,
  /** Probes that failed since the breaker opened. */
  failedProbes: 8,
  /** Retries taken and not yet earned again, in thousandths. */
  retriesOwed: 9,
} as const;

export const TIME = { openUntil: 0, since: 1, probeUntil: 2, checkDue: 3, streakSince: 4, retryDue: 5 } as const;

const MAX_REGIONS = 64;
const CELLS = 16;
const TIMES = 8;
const HEADER_BYTES = 64;
const DOCUMENT_BYTES = 16_384;
const CELL_BYTES = MAX_REGIONS * CELLS * 4;
const TIME_BYTES = MAX_REGIONS * TIMES * 8;

export function allocateRegionTable(): SharedArrayBuffer {
  return new SharedArrayBuffer(2 * HEADER_BYTES + CELL_BYTES + TIME_BYTES + DOCUMENT_BYTES);
}

export function openRegionTable(buffer: SharedArrayBuffer): RegionTable {
  const timesAt = 2 * HEADER_BYTES + CELL_BYTES;
  return {
    header: new Int32Array(buffer, 0, HEADER_BYTES / 4),
    headerTimes: new BigInt64Array(buffer, HEADER_BYTES, HEADER_BYTES / 8),
    cells: new Int32Array(buffer, 2 * HEADER_BYTES, MAX_REGIONS * CELLS),
    times: new BigInt64Array(buffer, timesAt, MAX_REGIONS * TIMES),
    document: new Uint8Array(buffer, timesAt + TIME_BYTES, DOCUMENT_BYTES),
  };
}

/** One region's part of the table. */
export interface Slot {
  readonly cells: Int32Array;
  readonly times: BigInt64Array;
}

/**
 * The slot of a regional endpoint, found or claimed by a hash of its origin, so that the workers agree on it without a
 * message. An account has far fewer regions than there are slots; past the last one regions would share a breaker.
 */
export function slotOf(table: RegionTable, origin: string): Slot {
  // 0 marks a free slot.
  const hash = hashText(origin) | 0 || 1;
  let index = 0;
  for (let step = 0; step < MAX_REGIONS; step += 1) {
    index = ((hash >>> 0) + step) % MAX_REGIONS;
    const held = Atomics.compareExchange(table.cells, index * CELLS + CELL.origin, 0, hash);
    if (held === 0 || held === hash) break;
  }
  return {
    cells: table.cells.subarray(index * CELLS, (index + 1) * CELLS),
    times: table.times.subarray(index * TIMES, (index + 1) * TIMES),
  };
}

/**
 * Sets a time to `untilMs` if it has passed; true for the one thread that did. One that lies farther ahead than any lease
 * of its kind lasts is left from before the clock was set back, and counts as passed.
 */
export function takeLease(times: BigInt64Array, index: number, span: { nowMs: number; untilMs: number }): boolean {
  const held = Atomics.load(times, index);
  const leftMs = Number(held) - span.nowMs;
  if (leftMs > 0 && leftMs <= 2 * (span.untilMs - span.nowMs)) return false;
  return Atomics.compareExchange(times, index, held, BigInt(Math.round(span.untilMs))) === held;
}

export function readTime(times: BigInt64Array, index: number): number {
  return Number(Atomics.load(times, index));
}

export function writeTime(times: BigInt64Array, index: number, ms: number): void {
  Atomics.store(times, index, BigInt(Math.round(ms)));
}
