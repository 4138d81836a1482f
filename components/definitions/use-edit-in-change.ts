'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { z } from 'zod';
import { apiGet, apiSend } from '#components/api-client.ts';
import { useMe } from '#components/shell/queries.ts';
import type { Definition } from '#gateway/contract/definitions/definition.ts';
import { ChangeDetail, CreatedChange, type Edit, type SaveEdit } from '#server/contract/changes.ts';
import { openChangesQuery } from './queries.ts';

export interface EditTarget {
  /** An open draft of mine, or undefined for a new change. */
  readonly change: number | undefined;
  readonly act: 'edit' | 'remove' | 'restore';
}

/** My changes that can still take an edit, newest first. */
export function useMyDrafts() {
  const me = useMe().data;
  const open = useQuery(openChangesQuery).data;
  return (open?.items ?? []).filter(
    (change) => change.author.id === me?.id && (change.state === 'draft' || change.state === 'needs work'),
  );
}

/** Puts a published definition into a change, to be edited or removed there, and goes to that change. */
export function useEditInChange(definition: Definition) {
  const router = useRouter();
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ change, act }: EditTarget) => {
      const number = change ?? (await createChange(definition, act));
      const found = change === undefined ? undefined : await findEdit(change, definition);
      // A draft that is already there keeps what was typed into it.
      if (found !== undefined && act !== 'remove' && found.document !== null) return number;
      const document = act === 'remove' ? null : definition.document;
      await apiSend(`PUT /api/changes/${number}/edits/${pathOf(definition)}`, z.unknown(), {
        body: { document, version: found?.version ?? 0 } satisfies z.input<typeof SaveEdit>,
      });
      return number;
    },
    onSuccess: async (number) => {
      await client.invalidateQueries({ queryKey: ['changes'] });
      router.push(`/changes/${number}?edit=${pathOf(definition)}`);
    },
  });
}

const TITLES = { edit: 'Edit', remove: 'Remove', restore: 'Restore' } as const;

async function createChange(definition: Definition, act: EditTarget['act']): Promise<number> {
  const title = `${TITLES[act]} ${definition.name}`;
  const created = await apiSend('POST /api/changes', CreatedChange, { body: { title } });
  return created.number;
}

async function findEdit(change: number, definition: Definition): Promise<Edit | undefined> {
  const detail = await apiGet(`/api/changes/${change}`, ChangeDetail);
  return detail.edits.find((edit) => edit.kind === definition.kind && edit.name === definition.name);
}

const pathOf = (definition: Definition): string => `${definition.kind}/${encodeURIComponent(definition.name)}`;
