import { OUTCOMES, type Outcome } from '#gateway/contract/errors.ts';
import { BUCKET_MS } from '#gateway/contract/telemetry.ts';
import type { TenantLatency } from '#server/contract/latency.ts';
import { percentilesOf } from './percentile.ts';
import { groupBy, isWanted, mergeSeries, type Series } from './series.ts';
import { bucketStart } from './window.ts';

type Point = TenantLatency['points'][number];

/** A report is due this long after the end of its ten seconds; before that a missing one is no gap. */
const REPORT_DUE_MS = 15_000;

/** When gateways reported: starts of ten-second spans inside the window, and of the first report ever. */
export interface Reports {
  readonly spans: ReadonlySet<number>;
  readonly firstMs: number | null;
}

export interface PointRequest {
  readonly fromMs: number;
  readonly toMs: number;
  readonly bucketMs: number;
  readonly outcome: Outcome | 'all';
  readonly nowMs: number;
}

/**
 * One point for every bucket of a window. Percentiles come from the bucket's merged histogram and are null when it
 * holds too few requests. `gap`: no gateway reported although one had before; no requests while one reported is no gap.
 */
export function pointsOf(series: readonly Series[], reports: Reports, request: PointRequest): Point[] {
  const { bucketMs } = request;
  const byBucket = groupBy(series, ({ atMs }) => bucketStart(atMs, bucketMs));
  const reported = new Set([...reports.spans].map((span) => bucketStart(span, bucketMs)));
  const points: Point[] = [];
  for (let atMs = bucketStart(request.fromMs, bucketMs); atMs < request.toMs; atMs += bucketMs) {
    const inside = byBucket.get(atMs) ?? [];
    const merged = mergeSeries(inside.filter(({ outcome }) => isWanted(outcome, request.outcome)));
    const due = atMs + bucketMs <= request.nowMs - REPORT_DUE_MS && atMs + bucketMs <= request.toMs + BUCKET_MS;
    const expected = reports.firstMs !== null && reports.firstMs < atMs;
    points.push({
      atMs,
      requests: merged.count,
      ...percentilesOf(merged.histogram, merged.maxUs),
      gap: due && expected && inside.length === 0 && !reported.has(atMs),
      outcomes: countOutcomes(inside),
    });
  }
  return points;
}

function countOutcomes(inside: readonly Series[]): Record<Outcome, number> {
  const counts = Object.fromEntries(OUTCOMES.map((outcome) => [outcome, 0])) as Record<Outcome, number>;
  for (const { outcome, count } of inside) counts[outcome] += count;
  return counts;
}
