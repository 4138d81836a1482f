'use client';

import type { UseFormReturn } from 'react-hook-form';
import { Field } from '#components/ui/field.tsx';
import { TextInput } from '#components/ui/text-input.tsx';
import { Textarea } from '#components/ui/textarea.tsx';

/** Title, reason and link of a change, as they are typed. */
export interface ChangeWords {
  readonly title: string;
  readonly reason: string;
  readonly link: string;
}

/** The fields that say what a change is for. */
export function ChangeWordsFields({ form }: { readonly form: UseFormReturn<ChangeWords> }) {
  const { register, formState } = form;
  const { errors } = formState;
  return (
    <>
      <Field label="Title" hint="What it does, like Add reactions." error={errors.title?.message} required>
        <TextInput autoFocus maxLength={120} {...register('title')} />
      </Field>
      <Field label="Reason" hint="Quoted in the review, the release and the audit log." error={errors.reason?.message}>
        <Textarea rows={2} maxLength={2000} {...register('reason')} />
      </Field>
      <Field label="Link" hint="To the ticket or the design." error={errors.link?.message}>
        <TextInput type="url" maxLength={500} {...register('link')} />
      </Field>
    </>
  );
}
