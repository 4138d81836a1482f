'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import { apiGet, apiSend } from '#components/api-client.ts';
import { Inbox } from '#server/contract/shell.ts';

const KEY = ['inbox', 'items'] as const;

/** What waits for this person. Items close by themselves when they are handled. */
export function useInbox() {
  return useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => apiGet('/api/inbox', Inbox, { signal }),
    meta: { topics: ['inbox', 'changes'] },
  });
}

/** Closes a follow-up review. It is one's own, so it leaves the list at once and comes back when the server refuses. */
export function useCloseItem() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => apiSend(`POST /api/inbox/${encodeURIComponent(id)}/close`, z.unknown()),
    onMutate: async (id) => {
      await client.cancelQueries({ queryKey: KEY });
      const before = client.getQueryData<Inbox>(KEY);
      client.setQueryData<Inbox>(KEY, (inbox) => inbox && { items: inbox.items.filter((item) => item.id !== id) });
      return { before };
    },
    onError: (_error, _id, context) => client.setQueryData(KEY, context?.before),
    onSettled: () => client.invalidateQueries({ queryKey: ['inbox'] }),
  });
}
