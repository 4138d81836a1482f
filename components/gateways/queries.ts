import { queryOptions } from '@tanstack/react-query';
import { apiGet } from '#components/api-client.ts';
import { Gateways } from '#server/contract/releases.ts';

/** The fleet. Gateways report every few seconds, and silence has no event, so it is asked for as well. */
export const gatewaysQuery = queryOptions({
  queryKey: ['gateways'],
  queryFn: ({ signal }) => apiGet('/api/gateways', Gateways, { signal }),
  refetchInterval: 5_000,
  meta: { topics: ['gateways', 'releases'] },
});
