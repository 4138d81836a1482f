'use client';

import { useShortcuts } from '#components/ui/shortcuts.tsx';
import type { DefinitionDetail } from '#server/contract/definitions.ts';
import { DraftChoice } from './draft-choice.tsx';
import { useEditInChange, useMyDrafts } from './use-edit-in-change.ts';

/** *Edit in a change* and *Remove in a change*: into a new change, or into one of my open drafts. */
export function EditInChange({
  detail: { definition, openChanges },
}: {
  readonly detail: Pick<DefinitionDetail, 'definition' | 'openChanges'>;
}) {
  const drafts = useMyDrafts(openChanges);
  const act = useEditInChange(definition);
  const edit = (change: number | undefined) => act.mutate({ change, act: 'edit' });
  useShortcuts([{ keys: 'n', label: `Edit ${definition.name} in a change`, run: () => edit(undefined) }]);
  const remove = (change: number | undefined, label: string) => ({
    label,
    danger: true,
    onSelect: () => act.mutate({ change, act: 'remove' }),
  });
  const [first] = drafts;
  return (
    <DraftChoice
      label="Edit in a change"
      menuLabel="More ways to change it"
      drafts={drafts}
      onChoose={edit}
      act={act}
      more={[
        remove(undefined, 'Remove in a new change'),
        ...(first === undefined ? [] : [remove(first.number, `Remove in ∆${first.number}`)]),
      ]}
    />
  );
}
