'use client';

import { messageOf } from '#components/api-client.ts';
import { Button } from '#components/ui/button.tsx';
import type { Definition } from '#gateway/contract/definitions/definition.ts';
import { useEditInChange } from './use-edit-in-change.ts';

/** Brings a removed definition back in a new change, as it was last. */
export function RestoreInChange({ definition }: { readonly definition: Definition }) {
  const act = useEditInChange(definition);
  return (
    <div className="grid justify-items-end gap-1">
      <Button pending={act.isPending} onClick={() => act.mutate({ change: undefined, act: 'restore' })}>
        Restore in a change
      </Button>
      {act.isError && (
        <p role="alert" className="max-w-80 text-right text-danger text-meta">
          {messageOf(act.error)}
        </p>
      )}
    </div>
  );
}
