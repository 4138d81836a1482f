'use client';

import { useForm } from 'react-hook-form';
import { messageOf } from '#components/api-client.ts';
import { Button } from '#components/ui/button.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { Field } from '#components/ui/field.tsx';
import { SecretOnce } from '#components/ui/secret-once.tsx';
import { Select } from '#components/ui/select.tsx';
import { TextInput } from '#components/ui/text-input.tsx';
import { Token } from '#components/ui/token.tsx';
import { useCreateKey } from './queries.ts';

interface CreateKeyDialogProps {
  readonly principal: string;
  readonly onClose: () => void;
}

const LIVES = [
  { value: '1', label: '24 hours, for a trial' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'one year' },
  { value: 'never', label: 'until it is revoked' },
] as const;

/** Makes a key and shows its secret this once. Closing it is the end of the secret. */
export function CreateKeyDialog({ principal, onClose }: CreateKeyDialogProps) {
  const create = useCreateKey(principal);
  const { register, handleSubmit, formState } = useForm({ defaultValues: { label: '', life: '90' } });
  const submit = handleSubmit(({ label, life }) =>
    create.mutate({ label, expiresInDays: life === 'never' ? null : Number(life) }),
  );
  if (create.isSuccess) return <MadeKey principal={principal} made={create.data} onClose={onClose} />;
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Make a key of ${principal}`}
      foot={
        <>
          <Button look="primary" pending={create.isPending} onClick={() => void submit()}>
            Make the key
          </Button>
          <Button look="quiet" onClick={onClose}>
            Cancel
          </Button>
        </>
      }
    >
      <form onSubmit={(event) => void submit(event)} className="grid gap-4">
        <Field
          label="Where it is used"
          hint="So that people know what a revocation cuts off."
          error={formState.errors.label?.message}
          required
        >
          <TextInput
            {...register('label', {
              required: 'Say where it is used.',
              maxLength: { value: 80, message: 'At most 80 characters.' },
            })}
          />
        </Field>
        <Field label="Works for" required>
          <Select options={LIVES} {...register('life')} />
        </Field>
        <p className="text-ink-2">
          It is published at once, without a review: a key can do only what published policies grant.
        </p>
        {create.isError && (
          <p role="alert" className="text-danger">
            {messageOf(create.error)}
          </p>
        )}
      </form>
    </Dialog>
  );
}

interface MadeKeyProps {
  readonly principal: string;
  readonly made: NonNullable<ReturnType<typeof useCreateKey>['data']>;
  readonly onClose: () => void;
}

/** A dialog of its own: it takes the focus and is read out, with what is to be done now. */
function MadeKey({ principal, made: { secret, release, waitsFor, key }, onClose }: MadeKeyProps) {
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Key of ${principal}`}
      foot={
        <Button look="primary" onClick={onClose}>
          I have copied it
        </Button>
      }
    >
      <SecretOnce label={`${key.label} of ${principal}`} secret={secret}>
        {release === null ? (
          <p>{waitsFor}</p>
        ) : (
          <p>
            It works as soon as a gateway is live on{' '}
            <Token kind="release" bare href={`/releases/${release}`}>
              r{release}
            </Token>
            .
          </p>
        )}
      </SecretOnce>
    </Dialog>
  );
}
