'use client';

import { createContext, use, useId } from 'react';
import { cn } from './cn.ts';

interface FieldWiring {
  readonly id: string;
  readonly describedBy: string | undefined;
  readonly invalid: boolean;
  readonly required: boolean;
}

const FieldContext = createContext<FieldWiring | undefined>(undefined);

/** What a control inside a Field spreads on its element: id, description and validity. Empty outside a Field. */
export function useFieldProps() {
  const wiring = use(FieldContext);
  if (wiring === undefined) return {};
  return {
    id: wiring.id,
    'aria-describedby': wiring.describedBy,
    'aria-invalid': wiring.invalid || undefined,
    'aria-required': wiring.required || undefined,
  };
}

interface FieldProps {
  readonly label: string;
  /** One sentence that helps to fill it in; always visible. */
  readonly hint?: React.ReactNode;
  /** The message of the form's own validation (react-hook-form `errors.x?.message`). Untouched fields have none. */
  readonly error?: string | undefined;
  /** Findings of the server that point at this field: `<Finding>` rows, read out with the control. */
  readonly findings?: React.ReactNode;
  /** One of the findings blocks, so the value cannot stay. */
  readonly blocked?: boolean | undefined;
  readonly required?: boolean | undefined;
  /** `beside` puts the label left of the control from 900 px up. */
  readonly layout?: 'above' | 'beside' | undefined;
  readonly children: React.ReactNode;
  readonly className?: string | undefined;
}

/** Label, control, hint, error and findings of one field. The control inside takes its wiring from here. */
export function Field({
  label,
  hint,
  error,
  findings,
  blocked = false,
  required = false,
  layout = 'above',
  children,
  className,
}: FieldProps) {
  const id = useId();
  const hintId = hint === undefined ? undefined : `${id}-hint`;
  const errorId = error === undefined ? undefined : `${id}-error`;
  const findingsId = findings === undefined ? undefined : `${id}-findings`;
  const describedBy = [errorId, findingsId, hintId].filter(Boolean).join(' ') || undefined;
  return (
    <FieldContext value={{ id, describedBy, invalid: error !== undefined || blocked, required }}>
      <div
        className={cn(
          'grid gap-1',
          layout === 'beside' && 'desk:grid-cols-[10rem_minmax(0,1fr)] desk:gap-x-4',
          className,
        )}
      >
        <label htmlFor={id} className={cn('font-medium text-body text-ink', layout === 'beside' && 'desk:pt-1')}>
          {label}
          {!required && (
            <>
              {' '}
              <span className="ml-0.5 font-normal text-ink-3 text-meta">optional</span>
            </>
          )}
        </label>
        <div className="grid min-w-0 gap-1">
          {children}
          {hint !== undefined && (
            <p id={hintId} className="max-w-[60ch] text-ink-3 text-meta">
              {hint}
            </p>
          )}
          {error !== undefined && (
            <p id={errorId} className="text-danger text-meta">
              {error}
            </p>
          )}
          {findings !== undefined && (
            <div id={findingsId} className="grid gap-1">
              {findings}
            </div>
          )}
        </div>
      </div>
    </FieldContext>
  );
}
