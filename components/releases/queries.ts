import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import { apiGet, apiSend } from '#components/api-client.ts';
import { ReleaseDenials } from '#server/contract/denials.ts';
import { ReleaseDetail, ReleaseDiff, ReleasePage } from '#server/contract/releases.ts';
import {
  FreezeState,
  type RollBack,
  type RollbackMode,
  RollbackPreview,
  RolledBack,
  type RolloutRules,
  RolloutRulesState,
} from '#server/contract/rollouts.ts';

/** Releases, newest first. Their state moves with every gateway's answer. */
export const releasesQuery = (wanted: {
  readonly q?: string | undefined;
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}) =>
  queryOptions({
    queryKey: ['releases', 'list', wanted],
    queryFn: ({ signal }) => apiGet('/api/releases', ReleasePage, { query: wanted, signal }),
    meta: { topics: ['releases', 'gateways'] },
  });

/** One release with each gateway's answer to it. */
export const releaseQuery = (number: number) =>
  queryOptions({
    queryKey: ['releases', 'one', number],
    queryFn: ({ signal }) => apiGet(`/api/releases/${number}`, ReleaseDetail, { signal }),
    // Silence has no event, and a stage opens by the clock; asking now and then shows both.
    refetchInterval: (query) => (query.state.data?.rollout?.waitsFor == null ? 10_000 : 3_000),
    meta: { topics: ['releases', 'gateways'] },
  });

/** Who is refused because of a release. Refusals come every second, so the page asks again now and then. */
export const denialsQuery = (number: number) =>
  queryOptions({
    queryKey: ['releases', 'denials', number],
    queryFn: ({ signal }) => apiGet(`/api/releases/${number}/denials`, ReleaseDenials, { signal }),
    refetchInterval: 5_000,
    meta: { topics: ['releases'] },
  });

/** What a rollback would do now. Any publish changes it. */
export const rollbackQuery = (number: number, mode: RollbackMode) =>
  queryOptions({
    queryKey: ['releases', 'rollback', number, mode],
    queryFn: ({ signal }) => apiGet(`/api/releases/${number}/rollback`, RollbackPreview, { query: { mode }, signal }),
    meta: { topics: ['releases'] },
  });

/** What differs between two releases; releases never change. */
export const diffQuery = (from: number, to: number) =>
  queryOptions({
    queryKey: ['releases', 'diff', from, to],
    queryFn: ({ signal }) => apiGet(`/api/releases/${to}/diff`, ReleaseDiff, { query: { with: from }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

export const freezeQuery = () =>
  queryOptions({
    queryKey: ['releases', 'freeze'],
    queryFn: ({ signal }) => apiGet('/api/releases/freeze', FreezeState, { signal }),
    meta: { topics: ['releases', 'shell'] },
  });

export const rulesQuery = () =>
  queryOptions({
    queryKey: ['releases', 'rules'],
    queryFn: ({ signal }) => apiGet('/api/releases/rollout-rules', RolloutRulesState, { signal }),
    meta: { topics: ['releases'] },
  });

export function useRollBack(number: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: z.input<typeof RollBack>) =>
      apiSend(`POST /api/releases/${number}/rollback`, RolledBack, { body }),
    onSettled: () => client.invalidateQueries({ queryKey: ['releases'] }),
  });
}

export type RolloutAct =
  | { readonly act: 'promote' | 'resume'; readonly stage: number }
  | { readonly act: 'halt'; readonly stage: number; readonly reason: string };

/** Moves the rollout of a release. */
export function useRolloutAct(number: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ act, ...body }: RolloutAct) => apiSend(`POST /api/releases/${number}/${act}`, z.unknown(), { body }),
    onSettled: () => client.invalidateQueries({ queryKey: ['releases'] }),
  });
}

export function useFreeze() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ act, reason }: { readonly act: 'freeze' | 'unfreeze'; readonly reason: string }) =>
      apiSend(`POST /api/releases/${act}`, z.unknown(), { body: { reason } }),
    onSettled: () => client.invalidateQueries({ queryKey: ['releases'] }),
  });
}

export function useSetRules() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: RolloutRules) => apiSend('PUT /api/releases/rollout-rules', z.unknown(), { body }),
    onSuccess: () => client.invalidateQueries({ queryKey: rulesQuery().queryKey }),
  });
}
