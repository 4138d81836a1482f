'use client';

import { useForm } from 'react-hook-form';
import { messageOf } from '#components/api-client.ts';
import { useAnnouncer } from '#components/ui/announcer.tsx';
import { Button } from '#components/ui/button.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { Field } from '#components/ui/field.tsx';
import { formatCount } from '#components/ui/format-number.ts';
import { NumberInput } from '#components/ui/number-input.tsx';
import type { LocalCosmosState } from '#gateway/contract/local-cosmos.ts';
import { useSetBudget } from './queries.ts';

interface BudgetDialogProps {
  readonly account: LocalCosmosState['accounts'][number];
  readonly onClose: () => void;
}

const MAX = 1_000_000;

/** Sets what one partition may use a second before it is answered 429. */
export function BudgetDialog({ account, onClose }: BudgetDialogProps) {
  const setBudget = useSetBudget();
  const { toast } = useAnnouncer();
  const now = account.partitionRuPerSecond;
  const { register, handleSubmit, formState } = useForm({ defaultValues: { limit: now === null ? '' : String(now) } });
  const submit = handleSubmit(({ limit }) => {
    const partitionRuPerSecond = limit.trim() === '' ? null : Number(limit);
    setBudget.mutate(
      { account: account.name, partitionRuPerSecond },
      {
        onSuccess: () => {
          const says = partitionRuPerSecond === null ? 'no limit' : `${formatCount(partitionRuPerSecond)}\u00a0RU/s`;
          toast(`A partition of ${account.name} may use ${says}.`);
          onClose();
        },
      },
    );
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Budget of a partition of ${account.name}`}
      foot={
        <>
          <Button look="primary" pending={setBudget.isPending} onClick={() => void submit()}>
            Set the budget
          </Button>
          <Button look="quiet" onClick={onClose}>
            Cancel
          </Button>
        </>
      }
    >
      <form onSubmit={(event) => void submit(event)} className="grid gap-4" noValidate>
        <Field
          label="Request units"
          hint="What one partition may use in one region; over it, requests are answered 429. Cosmos DB gives a partition 10,000 RU/s. Empty: no limit."
          error={formState.errors.limit?.message}
        >
          <NumberInput
            unit="RU/s"
            {...register('limit', {
              validate: (text) =>
                text.trim() === '' ||
                (Number(text) >= 1 && Number(text) <= MAX) ||
                `A number from 1 to ${formatCount(MAX)}, or nothing.`,
            })}
          />
        </Field>
        {setBudget.isError && (
          <p role="alert" className="text-danger">
            Nothing was set. {messageOf(setBudget.error)}
          </p>
        )}
        <button type="submit" hidden />
      </form>
    </Dialog>
  );
}
