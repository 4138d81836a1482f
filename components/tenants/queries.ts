import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import { apiGet, apiSend } from '#components/api-client.ts';
import { CreatedKey, type CreateKey, PrincipalKeys, Published, type RevokeKey } from '#server/contract/definitions.ts';

/** Keys of a principal, with whether whoever asks may make or revoke one. Each act on a key publishes a release. */
export const keysQuery = (principal: string) =>
  queryOptions({
    queryKey: ['releases', 'keys', principal],
    queryFn: ({ signal }) => apiGet(`/api/principals/${encodeURIComponent(principal)}/keys`, PrincipalKeys, { signal }),
    meta: { topics: ['releases'] },
  });

/** Makes a key. The reply holds its secret, this once. */
export function useCreateKey(principal: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: z.input<typeof CreateKey>) =>
      apiSend(`POST /api/principals/${encodeURIComponent(principal)}/keys`, CreatedKey, { body }),
    onSuccess: () => client.invalidateQueries({ queryKey: keysQuery(principal).queryKey }),
  });
}

/** Revokes a key: published at once, no review. */
export function useRevokeKey(principal: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, ...body }: z.input<typeof RevokeKey> & { readonly id: string }) =>
      apiSend(`POST /api/keys/${encodeURIComponent(id)}/revoke`, Published, { body }),
    onSuccess: () => client.invalidateQueries({ queryKey: keysQuery(principal).queryKey }),
  });
}
