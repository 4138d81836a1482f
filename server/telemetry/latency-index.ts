import 'server-only';
import type { z } from 'zod';
import type { Ctx } from '#server/context.ts';
import type { LatencyIndex, LatencyQuery } from '#server/contract/latency.ts';
import { ServerError } from '#server/contract/server-error.ts';
import { percentileOf } from './percentile.ts';
import { type NamedSeries, readSeries } from './read-series.ts';
import { groupBy, isWanted, mergeSeries } from './series.ts';
import { type ChartedTenant, visibleTenants } from './traffic-of.ts';
import { WIDTHS } from './widths.ts';
import { bucketStart, type LatencyWindow, windowOf } from './window.ts';

type Row = LatencyIndex['tenants'][number];

/** Points of a sparkline, and how far back *usual* looks. */
const SPARKS = 30;
const USUAL_MS = 24 * 3_600_000;

/**
 * GET /api/latency: tenants ranked by p99 ÷ usual (÷ target where nothing is usual yet), worst first. *Usual* is p99
 * over the 24 whole hours before the window. Tenants whose traffic the asker may not see are only counted.
 */
export async function latencyIndex(ctx: Ctx, query: z.infer<typeof LatencyQuery>): Promise<LatencyIndex> {
  const window = windowOf(query, ctx.nowMs);
  if (window === null) throw emptyWindow();
  const { tenants, hidden } = await visibleTenants(ctx.db, ctx.actor);
  const names = tenants.map(({ name }) => name);
  const common = { scope: 'tenant', names, operation: query.operation, gateway: query.gateway } as const;
  const { outcome } = query;
  const now = await readSeries(ctx.db, { ...common, ...spanOf(window), outcome });
  // Whole hours only: the one in which the window begins holds requests of the window as well.
  const usualEndMs = bucketStart(window.fromMs, 3_600_000);
  const before = { fromMs: usualEndMs - USUAL_MS, toMs: usualEndMs, width: widthOf(3_600) };
  const usual = groupBy(await readSeries(ctx.db, { ...common, ...before, outcome }), ({ name }) => name);
  const byTenant = groupBy(now, ({ name }) => name);
  const rows = tenants.map((tenant) =>
    rowOf({ tenant, now: byTenant.get(tenant.name) ?? [], usual: usual.get(tenant.name) ?? [] }, window, outcome),
  );
  return {
    tenants: rows.sort((a, b) => badness(b) - badness(a) || b.requests - a.requests || (a.tenant < b.tenant ? -1 : 1)),
    hiddenTenants: hidden,
    fromMs: window.fromMs,
    toMs: window.toMs,
  };
}

/** An empty or reversed window is `invalid_input`. */
export function emptyWindow(): ServerError {
  return new ServerError('invalid_input', {
    publicMessage: 'The time range is empty: it ends before it begins.',
    fields: { toMs: 'is not after fromMs' },
  });
}

/** The index reads minutes at most: one row per tenant needs no finer ones. */
function spanOf({ fromMs, toMs, width }: LatencyWindow): LatencyWindow {
  return { fromMs: bucketStart(fromMs, 60_000), toMs, width: width.seconds < 60 ? widthOf(60) : width };
}

function widthOf(seconds: number) {
  return WIDTHS.find((width) => width.seconds === seconds) ?? WIDTHS[0];
}

function rowOf(
  facts: {
    readonly tenant: ChartedTenant;
    readonly now: readonly NamedSeries[];
    readonly usual: readonly NamedSeries[];
  },
  { fromMs, toMs }: LatencyWindow,
  outcome: z.infer<typeof LatencyQuery>['outcome'],
): Row {
  const { tenant, now, usual } = facts;
  const all = now.reduce((sum, { count }) => sum + count, 0);
  const turnedAway = now.filter(({ outcome: is }) => is === 'refused' || is === 'overQuota' || is === 'overloaded');
  const wanted = now.filter((series) => isWanted(series.outcome, outcome));
  return {
    tenant: tenant.name,
    p99Us: p99Of(wanted),
    usualP99Us: p99Of(usual.filter((series) => isWanted(series.outcome, outcome))),
    targetP99Ms: tenant.targetP99Ms,
    requests: all,
    perSecond: all / ((toMs - fromMs) / 1_000),
    refusedShare: all === 0 ? 0 : turnedAway.reduce((sum, { count }) => sum + count, 0) / all,
    spark: sparkOf(wanted, fromMs, toMs),
  };
}

function sparkOf(wanted: readonly NamedSeries[], fromMs: number, toMs: number): (number | null)[] {
  const stepMs = (toMs - fromMs) / SPARKS;
  const steps = groupBy(wanted, ({ atMs }) => Math.max(0, Math.min(SPARKS - 1, Math.floor((atMs - fromMs) / stepMs))));
  return Array.from({ length: SPARKS }, (_, step) => p99Of(steps.get(step) ?? []));
}

function p99Of(series: readonly NamedSeries[]): number | null {
  const merged = mergeSeries(series);
  return percentileOf(merged.histogram, 0.99, merged.maxUs);
}

/** How far p99 is above what it should be; tenants without one come last. */
function badness({ p99Us, usualP99Us, targetP99Ms }: Row): number {
  if (p99Us === null) return -1;
  if (usualP99Us !== null && usualP99Us > 0) return p99Us / usualP99Us;
  return targetP99Ms === null ? 0 : p99Us / (targetP99Ms * 1_000);
}
