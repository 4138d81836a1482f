import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { apiGet, apiSend } from '#components/api-client.ts';
import { type BackgroundList, BackgroundPage, TriedAgain, type TryAgain } from '#server/contract/background.ts';
import { Gateways } from '#server/contract/releases.ts';

/** The fleet. Gateways report every few seconds, and silence has no event, so it is asked for as well. */
export const gatewaysQuery = queryOptions({
  queryKey: ['gateways'],
  queryFn: ({ signal }) => apiGet('/api/gateways', Gateways, { signal }),
  refetchInterval: 5_000,
  meta: { topics: ['gateways', 'releases'] },
});

/** One page of what gateways left behind. Gateways tell of it every few seconds. */
export const backgroundQuery = (query: { readonly list: BackgroundList; readonly cursor: string | undefined }) =>
  queryOptions({
    queryKey: ['background', query],
    queryFn: ({ signal }) => apiGet('/api/background', BackgroundPage, { query: { ...query }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 5_000,
    meta: { topics: ['gateways'] },
  });

/** Asks for another try of an entry, or with null of all that are parked. */
export function useTryAgain() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: TryAgain) => apiSend('POST /api/background/try-again', TriedAgain, { body }),
    onSettled: () => client.invalidateQueries({ queryKey: ['background'] }),
  });
}
