'use client';

import { messageOf } from '#components/api-client.ts';
import { definitionHref } from '#components/definitions/kind-words.ts';
import { Button, LinkButton } from '#components/ui/button.tsx';
import type { DefinitionRow } from '#server/contract/definitions.ts';
import type { AddedEdit } from './added-edit.ts';
import { useTakePublished } from './use-take-published.ts';

interface TakenNameProps {
  readonly row: DefinitionRow;
  readonly onAdd: (edit: AddedEdit) => void;
}

/** Whose a taken name is and what it is: *Use theirs*, or edit it here for its owner to approve. */
export function TakenName({ row, onAdd }: TakenNameProps) {
  const take = useTakePublished(onAdd);
  return (
    <section aria-label={`${row.name} of team ${row.ownerTeam}`} className="grid gap-2 border-line border-l-2 pl-3">
      <p>
        <span className="font-mono">{row.name}</span> is of team {row.ownerTeam}: {row.summary}.{' '}
        <span className="text-ink-2">{row.description}</span>
      </p>
      <div className="-ml-2 flex flex-wrap gap-1">
        <LinkButton look="quiet" href={definitionHref(row.kind, row.name)}>
          Use theirs
        </LinkButton>
        <Button look="quiet" pending={take.isPending} onClick={() => take.mutate(row)}>
          Edit it in this change
        </Button>
      </div>
      {take.isError && (
        <p role="alert" className="text-danger">
          {messageOf(take.error)}
        </p>
      )}
    </section>
  );
}
