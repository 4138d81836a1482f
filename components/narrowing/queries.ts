import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import { apiGet, apiSend } from '#components/api-client.ts';
import { Published } from '#server/contract/definitions.ts';
import { type LowerQuota, NarrowingPreview } from '#server/contract/narrowing.ts';

/** The path of an act that cuts a principal or a policy off. */
export type NarrowPath = `principals/${string}/disable` | `policies/${string}/switch-off`;

/** What the act would cut off now. */
export const narrowQuery = (path: NarrowPath) =>
  queryOptions({
    queryKey: ['releases', 'narrow', path],
    queryFn: ({ signal }) => apiGet(`/api/${path}`, NarrowingPreview, { signal }),
    meta: { topics: ['releases'] },
  });

/** Does it: published at once, no review. */
export function useNarrow(path: NarrowPath) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (reason: string) => apiSend(`POST /api/${path}`, Published, { body: { reason } }),
    onSuccess: () => client.invalidateQueries(),
  });
}

export function useLowerQuota(tenant: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: z.input<typeof LowerQuota>) =>
      apiSend(`POST /api/tenants/${encodeURIComponent(tenant)}/lower-quota`, Published, { body }),
    onSuccess: () => client.invalidateQueries(),
  });
}
