import type { LATENCY_RANGES } from '#server/contract/latency.ts';
import { WIDTHS, type Width } from './widths.ts';

type Range = (typeof LATENCY_RANGES)[number];

const RANGE_MS: Readonly<Record<Range, number>> = {
  '15m': 900_000,
  '1h': 3_600_000,
  '6h': 6 * 3_600_000,
  '24h': 24 * 3_600_000,
  '7d': 7 * 86_400_000,
  '30d': 30 * 86_400_000,
};

/** Lengths a bucket on screen may have, milliseconds; each is a multiple of the ones stored. */
const LADDER_MS = [10, 20, 30, 60, 120, 300, 600, 1_200, 1_800, 3_600, 7_200, 14_400, 21_600, 43_200, 86_400].map(
  (seconds) => seconds * 1_000,
);
/** Most points on a line, and fewest that still make one when buckets widen. */
const MAX_POINTS = 600;
const MIN_POINTS = 30;
/** Requests that p99, p95 and p50 need: 10 / (1 − p). */
const NEEDS = [1_000, 200, 20];

export interface LatencyWindow {
  readonly fromMs: number;
  readonly toMs: number;
  /** Which stored width answers it. */
  readonly width: Width;
}

/**
 * The span of a query. Null when it is empty or reversed. The stored width is the finest that is still kept at its
 * start and that stays bounded: a span of more than two hours never reads ten-second rows.
 */
export function windowOf(
  query: { readonly range: Range; readonly fromMs?: number | undefined; readonly toMs?: number | undefined },
  nowMs: number,
): LatencyWindow | null {
  const toMs = query.toMs ?? nowMs;
  const fromMs = query.fromMs ?? toMs - RANGE_MS[query.range];
  if (fromMs >= toMs) return null;
  const width = WIDTHS.find(({ keptMs, longestMs }) => nowMs - fromMs <= keptMs && toMs - fromMs <= longestMs);
  return { fromMs, toMs, width: width ?? WIDTHS[WIDTHS.length - 1] ?? WIDTHS[0] };
}

/**
 * Length of a bucket on screen: the shortest on which the median non-empty bucket carries p99; when none does within
 * MIN_POINTS points, the shortest that carries p95, then p50. `counts` holds requests by start of a stored bucket.
 */
export function displayBucketMs(window: LatencyWindow, counts: ReadonlyMap<number, number>): number {
  const spanMs = window.toMs - window.fromMs;
  const fits = LADDER_MS.filter((ms) => ms >= window.width.ms && Math.ceil(spanMs / ms) + 1 <= MAX_POINTS);
  const [shortest = LADDER_MS[LADDER_MS.length - 1] ?? 0] = fits;
  const candidates = fits.filter((ms) => ms === shortest || spanMs / ms >= MIN_POINTS);
  for (const need of NEEDS) {
    const wide = candidates.find((ms) => medianCount(counts, ms) >= need);
    if (wide !== undefined) return wide;
  }
  return shortest;
}

/** Length of a heatmap column: at most 120 of them. */
export function columnMsOf(window: LatencyWindow): number {
  const spanMs = window.toMs - window.fromMs;
  const fit = LADDER_MS.find((ms) => ms >= window.width.ms && Math.ceil(spanMs / ms) + 1 <= 120);
  return fit ?? LADDER_MS[LADDER_MS.length - 1] ?? spanMs;
}

/** Start of the bucket of length `bucketMs` that holds a moment. */
export function bucketStart(atMs: number, bucketMs: number): number {
  return Math.floor(atMs / bucketMs) * bucketMs;
}

function medianCount(counts: ReadonlyMap<number, number>, bucketMs: number): number {
  const wide = new Map<number, number>();
  for (const [atMs, count] of counts) {
    const start = bucketStart(atMs, bucketMs);
    wide.set(start, (wide.get(start) ?? 0) + count);
  }
  const sorted = [...wide.values()].filter((count) => count > 0).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
