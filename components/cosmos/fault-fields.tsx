'use client';

import type { UseFormReturn } from 'react-hook-form';
import { Checkbox } from '#components/ui/checkbox.tsx';
import { Field } from '#components/ui/field.tsx';
import { NumberInput } from '#components/ui/number-input.tsx';
import { Select } from '#components/ui/select.tsx';
import { TextInput } from '#components/ui/text-input.tsx';
import type { LocalCosmosState } from '#gateway/contract/local-cosmos.ts';
import { FILTERS_OF } from '#server/contract/cosmos.ts';
import { EffectFields } from './effect-fields.tsx';
import { EFFECT_CHOICES, OPERATION_CHOICES } from './effect-words.ts';
import type { FaultValues } from './fault-values.ts';

interface FaultFieldsProps {
  readonly form: UseFormReturn<FaultValues>;
  readonly accounts: LocalCosmosState['accounts'];
}

/** The fields of a fault: the effect, what it needs, and what narrows it. Only what the effect takes is shown. */
export function FaultFields({ form, accounts }: FaultFieldsProps) {
  const { register, watch, setValue } = form;
  const filters = FILTERS_OF[watch('effect')];
  const error = (name: keyof FaultValues) => form.formState.errors[name]?.message;
  const account = watch('account');
  const regions = accounts.filter(({ name }) => account === '' || name === account).flatMap((one) => one.regions);
  const regionNames = [...new Set(regions.map(({ name }) => name))];
  return (
    <>
      <Field label="What happens" error={error('effect')} required>
        <Select
          options={EFFECT_CHOICES}
          {...register('effect', {
            // A proxy in between says 502; Cosmos DB itself says nothing with 503.
            onChange: ({ target }) => setValue('status', target.value === 'html' ? '502' : '503'),
          })}
        />
      </Field>
      <EffectFields form={form} />
      {accounts.length > 1 && (
        <Field label="Account" error={error('account')} required>
          <Select
            options={[
              { value: '', label: 'Every account' },
              ...accounts.map(({ name }) => ({ value: name, label: name })),
            ]}
            {...register('account')}
          />
        </Field>
      )}
      <Field label="Region" error={error('region')} required>
        <Select
          options={[{ value: '', label: 'Every region' }, ...regionNames.map((name) => ({ value: name, label: name }))]}
          {...register('region')}
        />
      </Field>
      {filters.includes('operations') && <Operations form={form} />}
      {filters.includes('partition') && (
        <Field
          label="Partition"
          hint="The whole key of a partition, such as chat|Message|m1. Empty: every partition."
          error={error('partition')}
        >
          <TextInput mono maxLength={2_048} {...register('partition')} />
        </Field>
      )}
      {filters.includes('percent') && (
        <div className="grid items-start gap-4 tablet:grid-cols-2">
          <Field label="Share" hint="Of the requests above, drawn at random." error={error('percent')} required>
            <NumberInput unit="%" step="any" inputMode="decimal" className="w-full" {...register('percent')} />
          </Field>
          <Field label="Times" hint="It switches itself off after so many. Empty: it stays on." error={error('times')}>
            <NumberInput unit="times" className="w-full" {...register('times')} />
          </Field>
        </div>
      )}
    </>
  );
}

function Operations({ form }: { readonly form: UseFormReturn<FaultValues> }) {
  const error = form.formState.errors.operations?.message;
  return (
    <fieldset>
      <legend className="mb-1 font-medium">
        Operations <span className="ml-0.5 font-normal text-ink-3 text-meta">optional</span>
      </legend>
      <div className="grid gap-1 tablet:grid-cols-2">
        {OPERATION_CHOICES.map(({ value, label }) => (
          <Checkbox key={value} value={value} label={label} {...form.register('operations')} />
        ))}
      </div>
      <p className="mt-1 text-ink-3 text-meta">None ticked: all of them.</p>
      {error !== undefined && <p className="text-danger text-meta">{error}</p>}
    </fieldset>
  );
}
