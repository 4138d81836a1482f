'use client';

import { cn } from './cn.ts';
import { CONTROL } from './control.ts';
import { useFieldProps } from './field.tsx';

interface TextInputProps extends React.ComponentProps<'input'> {
  /** Names, ids and code are mono. */
  readonly mono?: boolean | undefined;
}

/** One line of text. Spread `register('name')` of react-hook-form on it. */
export function TextInput({ mono = false, className, ...rest }: TextInputProps) {
  const wiring = useFieldProps();
  return (
    <input
      type="text"
      autoComplete="off"
      spellCheck={mono ? false : undefined}
      {...wiring}
      {...rest}
      className={cn(CONTROL, mono && 'font-mono', className)}
    />
  );
}
