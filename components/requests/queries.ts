import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import { apiGet, isNotFound, type Query } from '#components/api-client.ts';
import { resolveTimeRange, type TimeRangeValue } from '#components/ui/range-value.ts';
import { RequestDetail, RequestPage } from '#server/contract/requests.ts';

export type LoadedRequests = z.infer<typeof RequestPage>;

interface RequestListQuery {
  readonly filter: Query;
  readonly time: TimeRangeValue;
  readonly cursor: string | undefined;
}

/** A page of kept requests. The newest page of a relative time follows shipments; others stand still. */
export const requestsQuery = ({ filter, time, cursor }: RequestListQuery) =>
  queryOptions({
    queryKey: ['requests', 'list', filter, time, cursor],
    queryFn: ({ signal }) =>
      apiGet('/api/requests', RequestPage, {
        query: { ...filter, ...resolveTimeRange(time, Date.now()), cursor },
        signal,
      }),
    placeholderData: keepPreviousData,
    meta: { topics: cursor === undefined && time.kind === 'relative' ? ['telemetry'] : [] },
  });

/** The newest kept request before a moment that fits a filter: where an empty list may look instead. */
export const nearestQuery = (filter: Query, beforeMs: number) =>
  queryOptions({
    queryKey: ['requests', 'nearest', filter, beforeMs],
    queryFn: ({ signal }) =>
      apiGet('/api/requests', RequestPage, { query: { ...filter, toMs: beforeMs, limit: 1 }, signal }),
  });

/** A request that was just made may still be on its gateway: it is looked for this often, this many times. */
export const LOOK_AGAIN_MS = 3_000;
const LOOKS = 10;

/** One kept request. */
export const requestQuery = (id: string) =>
  queryOptions({
    queryKey: ['requests', 'one', id],
    queryFn: ({ signal }) => apiGet(`/api/requests/${encodeURIComponent(id)}`, RequestDetail, { signal }),
    staleTime: 60_000,
    refetchInterval: ({ state }) => (state.status === 'error' && looksAgain(state) ? LOOK_AGAIN_MS : false),
  });

/** Whether a request that was not found is still looked for. */
export const looksAgain = (looked: { readonly error: unknown; readonly errorUpdateCount: number }): boolean =>
  isNotFound(looked.error) && looked.errorUpdateCount < LOOKS;
