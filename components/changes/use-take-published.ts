'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { definitionQuery } from '#components/definitions/queries.ts';
import type { DefinitionRow } from '#server/contract/definitions.ts';
import type { AddedEdit } from './added-edit.ts';

/** Takes a published definition as it is now into the change. */
export function useTakePublished(onTaken: (edit: AddedEdit) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (row: DefinitionRow) => client.fetchQuery(definitionQuery(row.kind, row.name)),
    onSuccess: ({ definition: { kind, name, document } }) => onTaken({ kind, name, document, base: document }),
  });
}
