'use client';

import { cn } from './cn.ts';
import { CONTROL } from './control.ts';
import { useFieldProps } from './field.tsx';

/** Several lines of text; grows with its content where the browser can. */
export function Textarea({ className, rows = 3, ...rest }: React.ComponentProps<'textarea'>) {
  const wiring = useFieldProps();
  return (
    <textarea rows={rows} {...wiring} {...rest} className={cn(CONTROL, 'field-sizing-content py-1.5', className)} />
  );
}
