'use client';

import { useForm } from 'react-hook-form';
import { messageOf } from '#components/api-client.ts';
import { Button } from '#components/ui/button.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { type ChangeDetail, UpdateChange } from '#server/contract/changes.ts';
import { type ChangeWords, ChangeWordsFields } from './change-words-fields.tsx';
import { useUpdateChange } from './queries.ts';

/** Edits what a change says about itself. */
export function ChangeWordsDialog({
  detail,
  onClose,
}: {
  readonly detail: ChangeDetail;
  readonly onClose: () => void;
}) {
  const update = useUpdateChange(detail.row.number);
  const form = useForm<ChangeWords>({
    defaultValues: { title: detail.row.title, reason: detail.reason, link: detail.link ?? '' },
  });
  const submit = form.handleSubmit((words) => {
    const parsed = UpdateChange.safeParse({ ...words, link: words.link === '' ? null : words.link });
    if (parsed.success) {
      update.mutate(parsed.data, { onSuccess: onClose });
      return;
    }
    for (const issue of parsed.error.issues) {
      const field = issue.path[0];
      if (field === 'title' || field === 'reason' || field === 'link') form.setError(field, { message: issue.message });
    }
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Title and reason of ∆${detail.row.number}`}
      foot={
        <>
          <Button look="primary" pending={update.isPending} onClick={() => void submit()}>
            Save
          </Button>
          <Button look="quiet" onClick={onClose}>
            Cancel
          </Button>
        </>
      }
    >
      <form onSubmit={(event) => void submit(event)} className="grid gap-4" noValidate>
        <ChangeWordsFields form={form} />
        {update.isError && (
          <p role="alert" className="text-danger">
            {messageOf(update.error)}
          </p>
        )}
      </form>
    </Dialog>
  );
}
