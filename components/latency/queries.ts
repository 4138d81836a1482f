import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { apiGet } from '#components/api-client.ts';
import { LatencyIndex, TenantLatency } from '#server/contract/latency.ts';
import { type LatencyScope, scopeQuery } from './latency-scope.ts';
import { followsShipments, nextPollMs } from './live-poll.ts';

const topicsOf = ({ isLive, time }: LatencyScope) => ({
  topics: isLive && followsShipments(time) ? (['telemetry'] as const) : [],
});

/** The part of the jitter that is this page's. */
const share = Math.random();

/** Tenants, worst first. */
export const latencyIndexQuery = (scope: LatencyScope) =>
  queryOptions({
    queryKey: ['latency', 'index', scopeQuery(scope)],
    queryFn: ({ signal }) => apiGet('/api/latency', LatencyIndex, { query: scopeQuery(scope), signal }),
    placeholderData: keepPreviousData,
    refetchInterval: (query) =>
      query.state.status === 'error' ? 5_000 : scope.isLive && nextPollMs(Date.now(), 60_000, share),
    meta: topicsOf(scope),
  });

/** Everything that the page of one tenant shows. */
export const tenantLatencyQuery = (tenant: string, scope: LatencyScope) =>
  queryOptions({
    queryKey: ['latency', 'tenant', tenant, scopeQuery(scope)],
    queryFn: ({ signal }) =>
      apiGet(`/api/latency/${encodeURIComponent(tenant)}`, TenantLatency, { query: scopeQuery(scope), signal }),
    refetchInterval: (query) =>
      query.state.status === 'error'
        ? 5_000
        : scope.isLive && nextPollMs(Date.now(), query.state.data?.bucketMs ?? 0, share),
    meta: topicsOf(scope),
  });
