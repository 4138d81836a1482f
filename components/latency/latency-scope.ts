import type { z } from 'zod';
import type { Query } from '#components/api-client.ts';
import { readTimeRange, type TimeRangeValue, timeRangeParams } from '#components/ui/range-value.ts';
import { OUTCOMES } from '#gateway/contract/errors.ts';
import { OPERATIONS } from '#gateway/contract/telemetry.ts';
import type { LatencyQuery } from '#server/contract/latency.ts';

type Asked = z.infer<typeof LatencyQuery>;

/** What a latency page shows, as the URL says it. */
export interface LatencyScope {
  readonly time: TimeRangeValue;
  readonly operation: Asked['operation'];
  readonly gateway: string;
  readonly outcome: Asked['outcome'];
  /** Follows the clock. A time between two moments never does. */
  readonly isLive: boolean;
  readonly scale: 'log' | 'linear';
}

/** Reads the scope of a page; what the URL does not say, or says in an unknown way, is the default. */
export function readScope(search: URLSearchParams): LatencyScope {
  const time = readTimeRange(search);
  const operation = search.get('operation');
  const outcome = search.get('outcome');
  return {
    time,
    operation: OPERATIONS.find((known) => known === operation) ?? 'all',
    gateway: search.get('gateway') ?? 'all',
    outcome: outcome === 'all' ? 'all' : (OUTCOMES.find((known) => known === outcome) ?? 'served'),
    isLive: time.kind === 'relative' && search.get('live') !== 'off',
    scale: search.get('scale') === 'linear' ? 'linear' : 'log',
  };
}

/** The scope as the server is asked for it. */
export function scopeQuery({ time, operation, gateway, outcome }: LatencyScope): Query {
  const span = time.kind === 'relative' ? { range: time.range } : { fromMs: time.fromMs, toMs: time.toMs };
  return { ...span, operation, gateway, outcome };
}

/** The URL of the same page with its time pinned to two moments, so that whoever opens it later sees the same. */
export function pinnedUrl(href: string, span: { readonly fromMs: number; readonly toMs: number }): string {
  const url = new URL(href);
  const params = timeRangeParams({ kind: 'absolute', ...span });
  for (const [name, value] of Object.entries(params)) {
    if (value === null) url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  }
  url.searchParams.delete('live');
  return url.href;
}

/** The URL of the same page that follows the clock: whoever opens it sees the newest. */
export function liveUrl(href: string, range: string): string {
  const url = new URL(href);
  for (const name of ['from', 'to', 'live']) url.searchParams.delete(name);
  url.searchParams.set('range', range);
  return url.href;
}
