'use client';

import type { UseFormReturn } from 'react-hook-form';
import { Field } from '#components/ui/field.tsx';
import { NumberInput } from '#components/ui/number-input.tsx';
import { Select } from '#components/ui/select.tsx';
import { ANSWERS } from './effect-words.ts';
import { EFFECT_FIELDS, type FaultValues } from './fault-values.ts';

type Form = UseFormReturn<FaultValues>;
type NumberField = keyof typeof WORDS;

interface Words {
  readonly label: string;
  readonly hint?: string;
  readonly unit?: string;
  readonly optional?: true;
}

const WORDS = {
  delayMs: { label: 'Later by', unit: 'ms' },
  perQueuedMs: {
    label: 'More for each that waits',
    unit: 'ms',
    hint: 'So that work piles up. Empty: none.',
    optional: true,
  },
  status: { label: 'Status' },
  subStatus: { label: 'Sub-status', hint: 'What Cosmos DB adds to it; 0 is none.' },
  retryAfterMs: {
    label: 'Told to wait',
    unit: 'ms',
    hint: 'The wait that the answer names. Empty: none.',
    optional: true,
  },
  position: { label: 'Operation in the batch', hint: 'The first is 1. All others are answered 424.' },
  lagMs: {
    label: 'Behind by',
    unit: 'ms',
    hint: 'Empty: nothing newer is seen until it is switched off.',
    optional: true,
  },
  replicas: { label: 'Replicas', hint: 'Of the four in each region; each read is served by one of them.' },
} satisfies Partial<Record<keyof FaultValues, Words>>;

/** What the chosen effect needs to be told. */
export function EffectFields({ form }: { readonly form: Form }) {
  const effect = form.watch('effect');
  const isOther = form.watch('answer') === 'other';
  const inBatch = effect === 'batchStatus';
  return EFFECT_FIELDS[effect].map((field) => {
    if (field === 'answer') {
      return (
        <div key={field} className="grid items-start gap-4 tablet:grid-cols-2">
          <Answer form={form} inBatch={inBatch} />
          {isOther && <NumberRow form={form} name="status" />}
          {isOther && !inBatch && <NumberRow form={form} name="subStatus" />}
        </div>
      );
    }
    return <NumberRow key={field} form={form} name={field} />;
  });
}

function Answer({ form, inBatch }: { readonly form: Form; readonly inBatch: boolean }) {
  const answers = ANSWERS.filter((answer) => !inBatch || answer.inBatch);
  return (
    <Field label="Answer" error={form.formState.errors.answer?.message} required className="tablet:col-span-2">
      <Select options={[...answers, { value: 'other', label: 'Another status' }]} {...form.register('answer')} />
    </Field>
  );
}

function NumberRow({ form, name }: { readonly form: Form; readonly name: NumberField }) {
  const { label, hint, unit, optional }: Words = WORDS[name];
  return (
    <Field label={label} hint={hint} error={form.formState.errors[name]?.message} required={optional !== true}>
      <NumberInput unit={unit} {...form.register(name)} />
    </Field>
  );
}
