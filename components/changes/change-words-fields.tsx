'use client';

import type { UseFormReturn } from 'react-hook-form';
import { Field } from '#components/ui/field.tsx';
import { TextInput } from '#components/ui/text-input.tsx';
import { Textarea } from '#components/ui/textarea.tsx';
import { useHydrated } from '#components/ui/use-hydrated.ts';

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
  const readOnly = !useHydrated();
  return (
    <>
      <Field label="Title" hint="What it does, like Add reactions." error={errors.title?.message} required>
        <TextInput
          autoFocus
          readOnly={readOnly}
          maxLength={120}
          // In what the server draws, too: set later, it would come under the hands of who selected the empty field.
          defaultValue={formState.defaultValues?.title}
          {...register('title')}
        />
      </Field>
      <Field label="Reason" hint="Quoted in the review, the release and the audit log." error={errors.reason?.message}>
        <Textarea rows={2} readOnly={readOnly} maxLength={2000} {...register('reason')} />
      </Field>
      <Field label="Link" hint="To the ticket or the design." error={errors.link?.message}>
        <TextInput type="url" readOnly={readOnly} maxLength={500} {...register('link')} />
      </Field>
    </>
  );
}
