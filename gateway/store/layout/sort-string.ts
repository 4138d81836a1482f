import { createHash } from 'node:crypto';
import type { EdgeTypeName, ObjectId } from '#gateway/contract/ids.ts';

/** 2^53 − 1. A larger base would lie where doubles skip odd numbers and collapse half of all milliseconds. */
const NEWEST_FIRST_BASE = Number.MAX_SAFE_INTEGER;
const DIGITS = 16;

/**
 * `<edgeType>~<2^53 − 1 − timeMs>~<tie>`: ascending order is newest first, and the tie (16 bytes of SHA-256 of the target)
 * orders equal times, so a walk by cursor meets each edge once.
 */
export function sortString(edgeType: EdgeTypeName, timeMs: number, toId: ObjectId): string {
  const tie = createHash('sha256').update(toId).digest().subarray(0, 16).toString('base64url');
  return `${edgeType}~${newestFirst(timeMs)}~${tie}`;
}

export interface SortRange {
  /** Exclusive. */
  readonly after: string;
  /** Exclusive. */
  readonly end: string;
}

export interface TimeBounds {
  /** Inclusive, epoch milliseconds. */
  readonly afterMs: number | null;
  readonly beforeMs: number | null;
}

/** The range of sort strings of one edge type within inclusive time bounds, past the string `afterS` when one is given. */
export function sortRange(edgeType: EdgeTypeName, bounds: TimeBounds, afterS: string | null): SortRange {
  const first = bounds.beforeMs === null ? `${edgeType}~` : `${edgeType}~${newestFirst(bounds.beforeMs)}`;
  // ':' follows '9', so it ends every time; one millisecond older than the oldest wanted ends a bounded range.
  const end = bounds.afterMs === null ? `${edgeType}~:` : `${edgeType}~${pad(NEWEST_FIRST_BASE - bounds.afterMs + 1)}`;
  return { after: afterS !== null && afterS > first ? afterS : first, end };
}

function newestFirst(timeMs: number): string {
  return pad(NEWEST_FIRST_BASE - timeMs);
}

function pad(value: number): string {
  return String(value).padStart(DIGITS, '0');
}
