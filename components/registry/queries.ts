import { queryOptions } from '@tanstack/react-query';
import { apiGet } from '#components/api-client.ts';
import { Received } from '#server/contract/definitions.ts';

/** A pasted snippet shows up within this and one telemetry flush. */
const POLL_MS = 1_000;

/** The newest request for a type. Polled while the page is in view: a snippet's answer has to show up within 3 s. */
/** Which requests a snippet's line tells of: those that look like its own. */
export interface Likeness {
  readonly operation: string;
  readonly tenant: string;
  readonly objectId: string;
}

export const receivedQuery = (kind: 'objectType' | 'edgeType', name: string, like: Likeness) =>
  queryOptions({
    queryKey: ['telemetry', 'received', kind, name, like],
    queryFn: ({ signal }) =>
      apiGet(`/api/definitions/${kind}/${encodeURIComponent(name)}/received`, Received, {
        query: { sinceMs: 0, ...like },
        signal,
      }),
    refetchInterval: (query) => (query.state.error === null ? POLL_MS : 5 * POLL_MS),
    retry: false,
  });
