'use client';

import { messageOf } from '#components/api-client.ts';
import { Checkbox } from '#components/ui/checkbox.tsx';
import type { ChangeDetail } from '#server/contract/changes.ts';
import { usePublishWhenApproved } from './queries.ts';

/** *Publish when approved*: for whoever may edit, until it is approved; everybody else reads that it will be. */
export function PublishWhenApproved({ detail }: { readonly detail: ChangeDetail }) {
  const { row, may, publishWhenApproved } = detail;
  const set = usePublishWhenApproved(row.number);
  const isWaiting = row.state === 'draft' || row.state === 'needs work' || row.state === 'in review';
  if (!isWaiting) return null;
  if (!may.edit.may) {
    return publishWhenApproved ? <p className="text-ink-2">The last approval publishes it.</p> : null;
  }
  return (
    <div>
      <Checkbox
        label="Publish when approved"
        hint="The last approval publishes it, in its turn. An edit after an approval asks for a new one."
        checked={set.isPending ? set.variables : publishWhenApproved}
        disabled={set.isPending}
        onChange={(event) => set.mutate(event.target.checked)}
      />
      {set.isError && (
        <p role="alert" className="text-danger">
          {messageOf(set.error)}
        </p>
      )}
    </div>
  );
}
