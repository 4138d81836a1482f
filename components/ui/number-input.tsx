'use client';

import { cn } from './cn.ts';
import { CONTROL } from './control.ts';
import { useFieldProps } from './field.tsx';

interface NumberInputProps extends React.ComponentProps<'input'> {
  /** Shown inside the control at its end: `ms`, `bytes`, `per second`. Figures carry units. */
  readonly unit?: string | undefined;
}

/** A whole number with its unit. With react-hook-form use `register('x', { valueAsNumber: true })`. */
export function NumberInput({ unit, className, ...rest }: NumberInputProps) {
  const wiring = useFieldProps();
  return (
    <span className={cn('relative inline-flex w-48 max-w-full', className)}>
      <input
        type="number"
        inputMode="numeric"
        step="1"
        {...wiring}
        {...rest}
        className={cn(CONTROL, 'text-right tabular-nums [appearance:textfield]', unit !== undefined && 'pr-20')}
      />
      {unit !== undefined && (
        <span
          aria-hidden
          className="pointer-events-none absolute inset-y-0 right-2.5 flex w-16 items-center text-ink-3 text-meta"
        >
          {unit}
        </span>
      )}
    </span>
  );
}
