'use client';

import { cn } from './cn.ts';
import { CONTROL } from './control.ts';
import { useFieldProps } from './field.tsx';

export interface SelectOption {
  readonly value: string;
  readonly label: string;
  readonly disabled?: boolean | undefined;
}

interface SelectProps extends React.ComponentProps<'select'> {
  readonly options: readonly SelectOption[];
}

/** One of a few. The browser's own list: right on every keyboard, screen reader and phone. */
export function Select({ options, className, ...rest }: SelectProps) {
  const wiring = useFieldProps();
  return (
    <span className={cn('relative inline-flex w-full', className)}>
      <select {...wiring} {...rest} className={cn(CONTROL, 'appearance-none pr-7')}>
        {options.map((option) => (
          <option key={option.value} value={option.value} disabled={option.disabled}>
            {option.label}
          </option>
        ))}
      </select>
      <svg
        viewBox="0 0 10 6"
        width="10"
        height="6"
        aria-hidden
        className="-translate-y-1/2 pointer-events-none absolute top-1/2 right-2.5 text-ink-3"
      >
        <path d="m1 1 4 4 4-4" fill="none" stroke="currentColor" strokeWidth="1.25" strokeLinecap="round" />
      </svg>
    </span>
  );
}
