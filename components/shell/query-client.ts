import { QueryClient } from '@tanstack/react-query';
import '#components/live/query-meta.ts';
import { ConsoleError } from '#components/api-client.ts';

/** The page's cache of server state. Only what can help is tried again, and a refusal is shown at once. */
export function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5000,
        retry: (failures, error) => failures < 1 && error instanceof ConsoleError && error.retryable,
        retryDelay: 1000,
        // A query that failed asks again by itself, so that the page recovers when the console does.
        refetchInterval: (query) =>
          query.state.status === 'error' && query.state.error instanceof ConsoleError && query.state.error.retryable
            ? 5000
            : false,
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}
