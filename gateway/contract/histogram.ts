import type { SparseHistogram } from './telemetry.ts';

/**
 * Log-linear buckets of durations in microseconds: every power of two is cut into 64 equal parts, so the middle of a
 * bucket is within 0.8 % of any value in it (the scheme of HdrHistogram, with 6 bits of precision). Values below 64 µs
 * have a bucket each. Index `i` means the same on every gateway and for ever; only the sparse pairs travel.
 */
const PARTS = 64;
const PART_BITS = 6;
/** Durations above this (about 67 s) share the last bucket. */
export const MAX_US = 2 ** 26 - 1;
export const BUCKET_COUNT = (26 - PART_BITS + 1) * PARTS;
/** Largest relative error of a percentile computed from buckets, shown beside every figure. */
export const RELATIVE_ERROR = 1 / (2 * PARTS);

/** The bucket of a duration in whole microseconds. */
export function bucketOf(us: number): number {
  const value = us < 0 ? 0 : us > MAX_US ? MAX_US : Math.floor(us);
  if (value < PARTS) return value;
  const exponent = 31 - Math.clz32(value) - PART_BITS;
  return (exponent + 1) * PARTS + ((value >>> exponent) - PARTS);
}

/** Lower bound (inclusive) and upper bound (exclusive) of a bucket, microseconds. */
export function boundsOf(index: number): { readonly fromUs: number; readonly toUs: number } {
  if (index < PARTS) return { fromUs: index, toUs: index + 1 };
  const exponent = Math.floor(index / PARTS) - 1;
  const part = (index % PARTS) + PARTS;
  return { fromUs: part * 2 ** exponent, toUs: (part + 1) * 2 ** exponent };
}

/** The sum of sparse histograms. */
export function mergeHistograms(all: readonly SparseHistogram[]): SparseHistogram {
  const counts = new Map<number, number>();
  for (const one of all) for (const [index, count] of one) counts.set(index, (counts.get(index) ?? 0) + count);
  return [...counts].sort(([a], [b]) => a - b);
}

/** How many values a sparse histogram holds. */
export function countOf(histogram: SparseHistogram): number {
  return histogram.reduce((sum, [, count]) => sum + count, 0);
}

/**
 * The `p`-quantile (0 < p ≤ 1) of a merged histogram, microseconds, never above `maxUs`; null when it is empty.
 */
export function quantileOf(histogram: SparseHistogram, p: number, maxUs: number): number | null {
  const total = countOf(histogram);
  if (total === 0) return null;
  const rank = Math.max(1, Math.ceil(p * total));
  let seen = 0;
  for (const [index, count] of histogram) {
    seen += count;
    if (seen < rank) continue;
    const { fromUs, toUs } = boundsOf(index);
    return Math.min((fromUs + toUs - 1) / 2, maxUs);
  }
  return maxUs;
}
