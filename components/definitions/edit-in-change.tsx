'use client';

import { messageOf } from '#components/api-client.ts';
import { Button } from '#components/ui/button.tsx';
import { Menu } from '#components/ui/menu.tsx';
import type { MenuItem } from '#components/ui/menu-item.ts';
import { useShortcuts } from '#components/ui/shortcuts.tsx';
import type { Definition } from '#gateway/contract/definitions/definition.ts';
import { useEditInChange, useMyDrafts } from './use-edit-in-change.ts';

/** *Edit in a change* and *Remove in a change*: into one of my open drafts, or into a new change. */
export function EditInChange({ definition }: { readonly definition: Definition }) {
  const drafts = useMyDrafts();
  const act = useEditInChange(definition);
  const [newest] = drafts;
  useShortcuts([
    {
      keys: 'n',
      label: `Edit ${definition.name} in a change`,
      run: () => act.mutate({ change: newest?.number, act: 'edit' }),
    },
  ]);
  const items: readonly MenuItem[] = [
    { heading: 'Edit it in' },
    ...drafts.slice(0, 8).map((draft) => ({
      label: `∆${draft.number} ${draft.title}`,
      onSelect: () => act.mutate({ change: draft.number, act: 'edit' }),
    })),
    { label: 'A new change', onSelect: () => act.mutate({ change: undefined, act: 'edit' }) },
    'line',
    {
      label: newest === undefined ? 'Remove in a new change' : `Remove in ∆${newest.number}`,
      danger: true,
      onSelect: () => act.mutate({ change: newest?.number, act: 'remove' }),
    },
  ];
  return (
    <div className="grid justify-items-end gap-1">
      <div className="flex items-center gap-1">
        <Button pending={act.isPending} onClick={() => act.mutate({ change: newest?.number, act: 'edit' })}>
          {newest === undefined ? 'Edit in a change' : `Edit in ∆${newest.number}`}
        </Button>
        <Menu
          items={items}
          trigger={
            <button
              type="button"
              aria-label="More ways to change it"
              className="grid size-7 place-items-center rounded-control hover:bg-sunken pointer-coarse:size-11"
            >
              ⋯
            </button>
          }
        />
      </div>
      {act.isError && (
        <p role="alert" className="max-w-80 text-right text-danger text-meta">
          {messageOf(act.error)}
        </p>
      )}
    </div>
  );
}
