'use client';

import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { messageOf } from '#components/api-client.ts';
import { Button } from '#components/ui/button.tsx';
import { Checkbox } from '#components/ui/checkbox.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { Field } from '#components/ui/field.tsx';
import { SecretOnce } from '#components/ui/secret-once.tsx';
import { Select } from '#components/ui/select.tsx';
import { TextInput } from '#components/ui/text-input.tsx';
import { Time } from '#components/ui/time.tsx';
import { SCOPES, type Scope } from '#server/contract/scopes.ts';
import { DEFAULT_TOKEN_DAYS } from '#server/contract/tokens.ts';
import { SCOPE_WORDS } from './scope-words.ts';
import { useCreateToken } from './token-queries.ts';

interface CreateTokenDialogProps {
  /** Teams for whose CI one may make a token; none but for an admin. */
  readonly teams: readonly string[];
  readonly onClose: () => void;
}

const LIVES = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: String(DEFAULT_TOKEN_DAYS), label: '90 days' },
  { value: '365', label: 'one year' },
] as const;

const MYSELF = '';

/** Makes a token and shows it this once. Closing the dialog is the end of the secret. */
export function CreateTokenDialog({ teams, onClose }: CreateTokenDialogProps) {
  const create = useCreateToken();
  const { register, handleSubmit, formState } = useForm({
    defaultValues: {
      name: '',
      team: MYSELF,
      days: String(DEFAULT_TOKEN_DAYS),
      scopes: ['definitions:read'] as Scope[],
    },
  });
  const submit = handleSubmit(({ name, team, days, scopes }) =>
    create.mutate({ name, team: team === MYSELF ? null : team, scopes, expiresInDays: Number(days) }),
  );
  if (create.isSuccess) return <MadeToken made={create.data} onClose={onClose} />;
  const { errors } = formState;
  return (
    <Dialog
      open
      onClose={onClose}
      title="Make a token"
      foot={
        <>
          <Button look="primary" pending={create.isPending} onClick={() => void submit()}>
            Make the token
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
          hint="The audit log names it beside what it does, also after it is gone."
          error={errors.name?.message}
          required
        >
          <TextInput
            {...register('name', {
              required: 'Say where it is used.',
              maxLength: { value: 80, message: 'At most 80 characters.' },
            })}
          />
        </Field>
        {teams.length > 0 && (
          <Field
            label="Acts for"
            hint="A team’s CI writes changes as an engineer of that team; people review them."
            required
          >
            <Select
              options={[
                { value: MYSELF, label: 'myself' },
                ...teams.map((team) => ({ value: team, label: `CI of ${team}` })),
              ]}
              {...register('team')}
            />
          </Field>
        )}
        <fieldset className="grid gap-2">
          <legend className="mb-1 font-medium">What it may do</legend>
          {SCOPES.map((scope) => (
            <Checkbox
              key={scope}
              label={<span className="font-mono">{scope}</span>}
              hint={SCOPE_WORDS[scope]}
              value={scope}
              {...register('scopes', { validate: (chosen) => chosen.length > 0 || 'Choose at least one.' })}
            />
          ))}
          {errors.scopes !== undefined && (
            <p role="alert" className="text-danger">
              {errors.scopes.message}
            </p>
          )}
        </fieldset>
        <Field label="Works for" required>
          <Select options={LIVES} {...register('days')} />
        </Field>
        {create.isError && (
          <p role="alert" className="text-danger">
            {messageOf(create.error)}
          </p>
        )}
      </form>
    </Dialog>
  );
}

interface MadeTokenProps {
  readonly made: NonNullable<ReturnType<typeof useCreateToken>['data']>;
  readonly onClose: () => void;
}

function MadeToken({ made: { token, secret }, onClose }: MadeTokenProps) {
  const [open, setOpen] = useState(true);
  const close = () => {
    setOpen(false);
    onClose();
  };
  return (
    <Dialog
      open={open}
      onClose={close}
      title={`Token ${token.name}`}
      foot={
        <Button look="primary" onClick={close}>
          I have copied it
        </Button>
      }
    >
      <SecretOnce label={token.name} secret={secret} copyLabel="Copy token">
        <p>
          It works until <Time ms={token.expiresAtMs} style="date" />. In a checkout of Habitat run{' '}
          <code className="font-mono">npx habitat login</code> and paste it; in CI set it as{' '}
          <code className="font-mono">HABITAT_TOKEN</code>.
        </p>
      </SecretOnce>
    </Dialog>
  );
}
