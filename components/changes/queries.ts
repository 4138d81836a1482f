import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import { apiGet, apiSend } from '#components/api-client.ts';
import {
  type AddComment,
  ChangeDetail,
  ChangePage,
  type Check,
  type CheckDraft,
  CheckResult,
  type CreateChange,
  CreatedChange,
  Edit,
  type OverrideFinding,
  type RefreshChange,
  type ResolveComments,
  type ReviewChange,
  type UpdateChange,
} from '#server/contract/changes.ts';
import type { Draft } from './draft-book.ts';

/** What the list of changes asks the server for. */
export interface ChangeListQuery {
  readonly state?: string | undefined;
  readonly by?: string | undefined;
  readonly q?: string | undefined;
  readonly cursor?: string | undefined;
}

export const changesQuery = (query: ChangeListQuery) =>
  queryOptions({
    queryKey: ['changes', 'list', query],
    queryFn: ({ signal }) => apiGet('/api/changes', ChangePage, { query: { ...query }, signal }),
    meta: { topics: ['changes', 'releases'] },
  });

/** One change. After it is published its state and spine move with every gateway's answer. */
export const changeQuery = (number: number) =>
  queryOptions({
    queryKey: ['changes', 'one', number],
    queryFn: ({ signal }) => apiGet(`/api/changes/${number}`, ChangeDetail, { signal }),
    meta: { topics: ['changes', 'releases', 'gateways'] },
    // A slow check tells its progress by no event; it is looked at while there is any.
    refetchInterval: (query) => (query.state.data?.checks.some(isUnderWay) === true ? 1_000 : false),
  });

function isUnderWay({ state }: Check): boolean {
  return state === 'waiting' || state === 'running';
}

/** Starts the slow checks of one content of a change; they go on by themselves. */
export const beginChecksQuery = (number: number, contentHash: string) =>
  queryOptions({
    queryKey: ['begin checks', number, contentHash],
    queryFn: () => apiSend(`POST /api/changes/${number}/checks`, z.unknown(), { body: {} }),
    staleTime: 10_000,
    gcTime: 10_000,
  });

/** Findings and effects of what stands on the page now, saved or not. */
export const checkQuery = (number: number, edits: z.input<typeof CheckDraft>['edits']) =>
  queryOptions({
    queryKey: ['check', number, edits],
    queryFn: () => apiSend(`POST /api/changes/${number}/check`, CheckResult, { body: { edits } }),
    staleTime: 30_000,
    gcTime: 60_000,
  });

export function useCreateChange() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: z.input<typeof CreateChange>) => apiSend('POST /api/changes', CreatedChange, { body }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['changes'] }),
  });
}

export function useUpdateChange(number: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: z.input<typeof UpdateChange>) => apiSend(`PATCH /api/changes/${number}`, z.unknown(), { body }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['changes'] }),
  });
}

/** Saves one draft; the version that was read goes along, and another one is refused as `conflict`. Answers it as saved. */
export function sendEdit(number: number, draft: Pick<Draft, 'kind' | 'name' | 'document' | 'version'>): Promise<Edit> {
  const path = `/api/changes/${number}/edits/${draft.kind}/${encodeURIComponent(draft.name)}`;
  return apiSend(`PUT ${path}`, Edit, { body: { document: draft.document, version: draft.version } });
}

/** Takes an edit out of the change. */
export async function sendEditOut(number: number, draft: Pick<Draft, 'kind' | 'name'>): Promise<void> {
  await apiSend(`DELETE /api/changes/${number}/edits/${draft.kind}/${encodeURIComponent(draft.name)}`, z.unknown());
}

/** An act on a change as a whole. */
export type ChangeAct =
  | { readonly act: 'submit' | 'withdraw' | 'abandon' | 'unqueue' }
  | ({ readonly act: 'refresh' } & z.input<typeof RefreshChange>)
  | ({ readonly act: 'review' } & z.input<typeof ReviewChange>)
  | { readonly act: 'publish'; readonly contentHash: string };

/** Sends an act and waits for the change as it stands after it. Nothing is shown before the server answered. */
export function useChangeAct(number: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ act, ...body }: ChangeAct) => apiSend(`POST /api/changes/${number}/${act}`, z.unknown(), { body }),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ['changes'] }),
        client.invalidateQueries({ queryKey: ['releases'] }),
        client.invalidateQueries({ queryKey: ['shell'] }),
      ]),
  });
}

/** An admin takes a finding on themselves. */
export function useOverride(number: number) {
  return useChangePart((body: z.input<typeof OverrideFinding>) =>
    apiSend(`POST /api/changes/${number}/override`, z.unknown(), { body }),
  );
}

/** Says something on a field. */
export function useAddComment(number: number) {
  return useChangePart((body: z.input<typeof AddComment>) =>
    apiSend(`POST /api/changes/${number}/comments`, z.unknown(), { body }),
  );
}

/** Ends the thread of a field. */
export function useResolveComments(number: number) {
  return useChangePart((body: z.input<typeof ResolveComments>) =>
    apiSend(`POST /api/changes/${number}/comments/resolve`, z.unknown(), { body }),
  );
}

/** Whether the approving act publishes it. */
export function usePublishWhenApproved(number: number) {
  return useChangePart((publishWhenApproved: boolean) =>
    apiSend(`PUT /api/changes/${number}/publish-when-approved`, z.unknown(), { body: { publishWhenApproved } }),
  );
}

function useChangePart<Input>(act: (input: Input) => Promise<unknown>) {
  const client = useQueryClient();
  return useMutation({ mutationFn: act, onSettled: () => client.invalidateQueries({ queryKey: ['changes'] }) });
}
