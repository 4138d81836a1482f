const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A length of stored buckets, how long they are kept and the longest span that is read from them. */
export interface Width {
  readonly seconds: 10 | 60 | 3_600;
  readonly ms: number;
  readonly keptMs: number;
  readonly longestMs: number;
}

/** Stored widths, finest first. */
export const WIDTHS: readonly [Width, ...Width[]] = [
  { seconds: 10, ms: 10_000, keptMs: DAY_MS, longestMs: 2 * HOUR_MS },
  { seconds: 60, ms: 60_000, keptMs: 7 * DAY_MS, longestMs: 2 * DAY_MS },
  { seconds: 3_600, ms: HOUR_MS, keptMs: 90 * DAY_MS, longestMs: Number.POSITIVE_INFINITY },
];
