import 'server-only';
import { z } from 'zod';
import { RELATIVE_ERROR } from '#gateway/contract/histogram.ts';
import type { Ctx } from '#server/context.ts';
import { LatencyQuery, type TenantLatency } from '#server/contract/latency.ts';
import { noteFact } from '#server/db/facts.ts';
import { heatmapOf } from './heatmap.ts';
import { readDots, readSlowest } from './kept-requests.ts';
import { emptyWindow } from './latency-index.ts';
import { percentilesOf } from './percentile.ts';
import { pointsOf } from './points.ts';
import { readMarkers } from './read-markers.ts';
import { readReports } from './read-reports.ts';
import { readSeries } from './read-series.ts';
import { sentenceOf } from './sentence.ts';
import { groupBy, isWanted, mergeSeries, type Series } from './series.ts';
import { requireTraffic } from './traffic-of.ts';
import { bucketStart, columnMsOf, displayBucketMs, windowOf } from './window.ts';

/** Query of GET /api/latency/{tenant}. */
export const TenantLatencyQuery = LatencyQuery.extend({ tenant: z.string().max(48) });

/**
 * GET /api/latency/{tenant}: everything its latency page shows for one window. Every percentile comes from merged
 * histograms and is null below 10/(1−p) requests; where it is, single kept requests are given as dots. Outcomes count
 * all requests, whatever outcome is charted. Refuses with `not_found`, `not_permitted`, `invalid_input`.
 */
export async function tenantLatency(ctx: Ctx, query: z.infer<typeof TenantLatencyQuery>): Promise<TenantLatency> {
  const tenant = await requireTraffic(ctx, query.tenant);
  const asked = windowOf(query, ctx.nowMs);
  if (asked === null) throw emptyWindow();
  // The span begins on the edge of a column, so that the first one of the heatmap is whole.
  const window = { ...asked, fromMs: bucketStart(asked.fromMs, columnMsOf(asked)) };
  const { outcome, operation, gateway } = query;
  const series = await readSeries(ctx.db, {
    scope: 'tenant',
    names: [tenant.name],
    ...window,
    operation,
    gateway,
    outcome,
  });
  const wanted = series.filter((one) => isWanted(one.outcome, outcome));
  const bucketMs = displayBucketMs(window, countByBucket(wanted));
  const reports = await readReports(ctx.db, window, gateway);
  const points = pointsOf(series, reports, { ...window, bucketMs, outcome, nowMs: ctx.nowMs });
  const merged = mergeSeries(wanted);
  const overall = percentilesOf(merged.histogram, merged.maxUs);
  const markers = await readMarkers(ctx.db, window);
  const kept = { tenant: tenant.name, ...window, operation, gateway, outcome };
  if (merged.count > 0) await noteFact(ctx.db, ctx.actor.id, 'latency seen', ctx.nowMs);
  const facts = { points, markers, requests: merged.count, p99Us: overall.p99Us, outcome, bucketMs };
  return {
    tenant: tenant.name,
    targetP99Ms: tenant.targetP99Ms,
    sentence: sentenceOf({ ...facts, targetP99Ms: tenant.targetP99Ms, fromMs: asked.fromMs, toMs: asked.toMs }),
    fromMs: asked.fromMs,
    toMs: asked.toMs,
    bucketMs,
    requests: merged.count,
    relativeError: RELATIVE_ERROR,
    overall,
    points,
    dots: await readDots(ctx.db, kept, { points, bucketMs }),
    heatmap: heatmapOf(wanted, { ...window, columnMs: columnMsOf(window) }),
    markers,
    operations: operationsOf(wanted),
    slowest: await readSlowest(ctx.db, kept),
  };
}

function countByBucket(series: readonly Series[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const { atMs, count } of series) counts.set(atMs, (counts.get(atMs) ?? 0) + count);
  return counts;
}

function operationsOf(series: readonly Series[]): TenantLatency['operations'] {
  return [...groupBy(series, ({ operation }) => operation)]
    .map(([operation, parts]) => {
      const { histogram, count, maxUs, ru, cached } = mergeSeries(parts);
      const { p50Us, p99Us } = percentilesOf(histogram, maxUs);
      return { operation, requests: count, p50Us, p99Us, ru, cached };
    })
    .sort((a, b) => b.requests - a.requests);
}
