'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import { apiGet, apiSend } from '#components/api-client.ts';
import { CreatedToken, type CreateToken, type RevokeToken, Tokens } from '#server/contract/tokens.ts';

/** Below the settings' key, so that what tells of settings tells of tokens. */
const KEY = ['settings', 'tokens'] as const;

/** One's own tokens and those of one's teams' CI. */
export function useTokens() {
  return useQuery({ queryKey: KEY, queryFn: ({ signal }) => apiGet('/api/tokens', Tokens, { signal }) });
}

/** Makes a token. The reply holds its secret, this once. */
export function useCreateToken() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: z.input<typeof CreateToken>) => apiSend('POST /api/tokens', CreatedToken, { body }),
    onSuccess: () => client.invalidateQueries({ queryKey: KEY }),
  });
}

/** Revokes a token: refused from its next request on. */
export function useRevokeToken() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, ...body }: z.input<typeof RevokeToken> & { readonly id: string }) =>
      apiSend(`POST /api/tokens/${encodeURIComponent(id)}/revoke`, z.unknown(), { body }),
    onSuccess: () => client.invalidateQueries({ queryKey: KEY }),
  });
}
