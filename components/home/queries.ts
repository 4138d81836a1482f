'use client';

import { useQuery } from '@tanstack/react-query';
import { apiGet } from '#components/api-client.ts';
import { Home } from '#server/contract/shell.ts';

/** What needs this person, what is unusual now, what happened lately, and the first steps. */
export function useHome() {
  return useQuery({
    queryKey: ['home'],
    queryFn: ({ signal }) => apiGet('/api/home', Home, { signal }),
    refetchInterval: 15_000,
    meta: { topics: ['inbox', 'changes', 'releases', 'gateways'] },
  });
}
