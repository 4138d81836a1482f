import { queryOptions } from '@tanstack/react-query';
import { apiGet } from '#components/api-client.ts';
import { ReleaseDetail, ReleasePage } from '#server/contract/releases.ts';

/** Releases, newest first. Their state moves with every gateway's answer. */
export const releasesQuery = (cursor: string | undefined) =>
  queryOptions({
    queryKey: ['releases', 'list', cursor ?? ''],
    queryFn: ({ signal }) => apiGet('/api/releases', ReleasePage, { query: { cursor }, signal }),
    meta: { topics: ['releases', 'gateways'] },
  });

/** One release with each gateway's answer to it. */
export const releaseQuery = (number: number) =>
  queryOptions({
    queryKey: ['releases', 'one', number],
    queryFn: ({ signal }) => apiGet(`/api/releases/${number}`, ReleaseDetail, { signal }),
    // Silence has no event; asking now and then shows it.
    refetchInterval: 10_000,
    meta: { topics: ['releases', 'gateways'] },
  });
