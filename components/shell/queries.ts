'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import { apiGet, apiSend } from '#components/api-client.ts';
import { Me } from '#server/contract/people.ts';
import { Shell } from '#server/contract/shell.ts';

/** What the frame around every page shows: installation, target, gateways, counts, where snippets send requests. */
export function useShell() {
  return useQuery({
    queryKey: ['shell'],
    queryFn: ({ signal }) => apiGet('/api/shell', Shell, { signal }),
    // A gateway falls silent without an event; the rail must say so within 30 s.
    refetchInterval: (query) => (query.state.status === 'error' ? 5000 : 10_000),
    meta: { topics: ['shell', 'gateways', 'releases', 'inbox', 'changes'] },
  });
}

/** Whoever is signed in, with roles and teams. */
export function useMe() {
  return useQuery({
    queryKey: ['me'],
    queryFn: ({ signal }) => apiGet('/api/me', Me, { signal }),
    staleTime: 60_000,
    meta: { topics: ['settings'] },
  });
}

/** Says that the person has read of a rollback: their pages tell of it no longer. */
export function useReadRollback() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (release: number) => apiSend(`POST /api/releases/${release}/rollback/read`, z.unknown()),
    onSuccess: () => client.invalidateQueries({ queryKey: ['shell'] }),
  });
}
