import { countOf, quantileOf } from '#gateway/contract/histogram.ts';
import type { SparseHistogram } from '#gateway/contract/telemetry.ts';

/** Requests without which a percentile says nothing: 10 / (1 − p). */
export function needOf(p: number): number {
  // Rounded, since 1 − 0.99 is not exactly 0.01.
  return Math.round(10 / (1 - p));
}

/** The `p`-quantile of a merged histogram, microseconds; null when it holds fewer than 10 / (1 − p) requests. */
export function percentileOf(histogram: SparseHistogram, p: number, maxUs: number): number | null {
  return countOf(histogram) < needOf(p) ? null : quantileOf(histogram, p, maxUs);
}

/** The three percentiles and the largest value that pages show. */
export interface Percentiles {
  readonly p50Us: number | null;
  readonly p95Us: number | null;
  readonly p99Us: number | null;
  readonly maxUs: number | null;
}

/** All of them from one merged histogram. */
export function percentilesOf(histogram: SparseHistogram, maxUs: number): Percentiles {
  return {
    p50Us: percentileOf(histogram, 0.5, maxUs),
    p95Us: percentileOf(histogram, 0.95, maxUs),
    p99Us: percentileOf(histogram, 0.99, maxUs),
    maxUs: histogram.length === 0 ? null : maxUs,
  };
}
