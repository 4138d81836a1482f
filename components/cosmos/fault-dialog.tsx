'use client';

import { type SubmitHandler, useForm } from 'react-hook-form';
import { ConsoleError, messageOf } from '#components/api-client.ts';
import { useAnnouncer } from '#components/ui/announcer.tsx';
import { Button } from '#components/ui/button.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import type { LocalCosmosState } from '#gateway/contract/local-cosmos.ts';
import { faultSentence } from '#server/contract/fault-words.ts';
import { FaultFields } from './fault-fields.tsx';
import { faultText } from './fault-text.ts';
import { type FaultValues, FIRST_VALUES, fieldOfPath, readFault } from './fault-values.ts';
import { useSwitchOff, useSwitchOn } from './queries.ts';

interface FaultDialogProps {
  readonly accounts: LocalCosmosState['accounts'];
  readonly onClose: () => void;
}

/** Switches a fault on: what happens, to whom, and the sentence that says it. */
export function FaultDialog({ accounts, onClose }: FaultDialogProps) {
  const form = useForm<FaultValues>({ defaultValues: FIRST_VALUES });
  const switchOn = useSwitchOn();
  const switchOff = useSwitchOff();
  const { toast } = useAnnouncer();
  const told = readFault(form.watch());

  const tell = (wrong: Readonly<Record<string, string | undefined>>) => {
    const fields = Object.entries(wrong).flatMap(([path, message]) => {
      const field = fieldOfPath(path);
      return field === undefined || message === undefined ? [] : [{ field, message }];
    });
    for (const [at, { field, message }] of fields.entries())
      form.setError(field, { message }, { shouldFocus: at === 0 });
  };
  const submit: SubmitHandler<FaultValues> = (values) => {
    const read = readFault(values);
    if ('errors' in read) return tell(read.errors);
    switchOn.mutate(read.fault, {
      onSuccess: (fault) => {
        toast(`On: ${faultSentence(fault)}.`, () => switchOff.mutate(fault.id));
        onClose();
      },
      onError: (error) => {
        if (error instanceof ConsoleError) tell(error.fields);
      },
    });
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title="Switch on a fault"
      foot={
        <>
          <p className="basis-full pb-1">
            {'fault' in told ? (
              `${faultText(told.fault)}.`
            ) : (
              <span className="text-ink-3">What it does is said here once every field is right.</span>
            )}
          </p>
          <Button look="primary" pending={switchOn.isPending} onClick={() => void form.handleSubmit(submit)()}>
            Switch on the fault
          </Button>
          <Button look="quiet" onClick={onClose}>
            Cancel
          </Button>
        </>
      }
    >
      <form onSubmit={(event) => void form.handleSubmit(submit)(event)} className="grid gap-4" noValidate>
        <FaultFields form={form} accounts={accounts} />
        {switchOn.isError && (
          <p role="alert" className="text-danger">
            Nothing was switched on. {messageOf(switchOn.error)}
          </p>
        )}
        {/* Enter in a field submits the form although its button stands in the foot. */}
        <button type="submit" hidden />
      </form>
    </Dialog>
  );
}
