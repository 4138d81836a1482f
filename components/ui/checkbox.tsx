'use client';

import { useId } from 'react';
import { cn } from './cn.ts';

interface CheckboxProps extends Omit<React.ComponentProps<'input'>, 'type'> {
  readonly label: React.ReactNode;
  readonly hint?: React.ReactNode;
  /** `radio` for one of several with the same name. */
  readonly kind?: 'checkbox' | 'radio' | undefined;
}

/** A box (or a radio) with its label; the whole label is the target. */
export function Checkbox({ label, hint, kind = 'checkbox', className, ...rest }: CheckboxProps) {
  const id = useId();
  return (
    <div className={cn('grid grid-cols-[auto_minmax(0,1fr)] gap-x-2', className)}>
      <input
        {...rest}
        id={id}
        type={kind}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        className="mt-0.5 size-4 accent-accent"
      />
      <label htmlFor={id} className="pointer-coarse:min-h-7">
        {label}
      </label>
      {hint !== undefined && (
        <p id={`${id}-hint`} className="col-start-2 text-ink-3 text-meta">
          {hint}
        </p>
      )}
    </div>
  );
}
