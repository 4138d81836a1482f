'use client';

import { Field } from './field.tsx';
import { Textarea } from './textarea.tsx';

interface ReasonFieldProps extends React.ComponentProps<'textarea'> {
  readonly label?: string | undefined;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
}

/** Why. Every act that others are affected by takes a reason, and the timeline and the audit row quote it. */
export function ReasonField({
  label = 'Reason',
  hint = 'Quoted in the timeline and the audit log.',
  error,
  ...rest
}: ReasonFieldProps) {
  return (
    <Field label={label} hint={hint} error={error} required>
      <Textarea rows={2} maxLength={1000} {...rest} />
    </Field>
  );
}
