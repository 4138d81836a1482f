'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { z } from 'zod';
import { apiGet, apiSend } from '#components/api-client.ts';
import { useMe } from '#components/shell/queries.ts';
import type { Definition } from '#gateway/contract/definitions/definition.ts';
import { ChangeDetail, CreatedChange, type Edit, type SaveEdit } from '#server/contract/changes.ts';
import type { DefinitionDetail } from '#server/contract/definitions.ts';
import { type Document, isSame } from './document.ts';
import { type Draft, myDrafts } from './my-drafts.ts';
import { openChangesQuery } from './queries.ts';

export interface EditTarget {
  /** An open draft of mine, or undefined for a new change. */
  readonly change: number | undefined;
  readonly act: 'edit' | 'remove' | 'restore';
}

/** My changes that can still take an edit: those of `touching` first, each newest first. */
export function useMyDrafts(touching: DefinitionDetail['openChanges']): readonly Draft[] {
  const me = useMe().data?.id;
  const open = useQuery(openChangesQuery).data?.items ?? [];
  return myDrafts(open, { me, touching });
}

/** Puts a published definition into a change, to be edited or removed there, and goes to that change. */
export function useEditInChange(definition: Definition) {
  return usePutInChange(({ change, act }: EditTarget) => ({
    change,
    definition,
    title: `${TITLES[act]} ${definition.name}`,
    documentOf: (drafted) => {
      if (act === 'remove') return null;
      // A draft that is already there keeps what was typed into it.
      return drafted ?? definition.document;
    },
  }));
}

const TITLES = { edit: 'Edit', remove: 'Remove', restore: 'Restore' } as const;

/** One definition on its way into a change. */
export interface PutInChange {
  readonly change: number | undefined;
  /** Of a new change. */
  readonly title: string;
  readonly definition: Definition;
  /** What stands in the change afterwards; `drafted` is what stands there now, undefined or null when it holds none. */
  readonly documentOf: (drafted: Document | null | undefined) => Document | null;
}

/** Puts a definition into a change, new or open, and goes there. */
export function usePutInChange<Input>(plan: (input: Input) => PutInChange | Promise<PutInChange>) {
  const router = useRouter();
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (input: Input) => {
      const { change, title, definition, documentOf } = await plan(input);
      const number = change ?? (await apiSend('POST /api/changes', CreatedChange, { body: { title } })).number;
      const found = change === undefined ? undefined : await findEdit(change, definition);
      const document = documentOf(found?.document);
      const path = pathOf(definition);
      if (found === undefined || !isSame(found.document, document)) {
        const body: z.input<typeof SaveEdit> = { document, version: found?.version ?? 0 };
        await apiSend(`PUT /api/changes/${number}/edits/${path}`, z.unknown(), { body });
      }
      return `/changes/${number}?edit=${path}`;
    },
    onSuccess: async (href) => {
      await client.invalidateQueries({ queryKey: ['changes'] });
      router.push(href);
    },
  });
}

async function findEdit(change: number, definition: Definition): Promise<Edit | undefined> {
  const detail = await apiGet(`/api/changes/${change}`, ChangeDetail);
  return detail.edits.find((edit) => edit.kind === definition.kind && edit.name === definition.name);
}

const pathOf = (definition: Definition): string => `${definition.kind}/${encodeURIComponent(definition.name)}`;
