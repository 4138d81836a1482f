'use client';

import type { SelectOption } from './select.tsx';

/** The line of chips that says what a dashboard shows. Each is a control; together they read as a scope. */
export function ScopeBar({
  label = 'Scope',
  children,
}: {
  readonly label?: string | undefined;
  readonly children: React.ReactNode;
}) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would need a legend on screen
    <div role="group" aria-label={label} className="flex flex-wrap items-center gap-1.5">
      {children}
    </div>
  );
}

/** Look of one chip in the scope bar. */
export const CHIP =
  'relative inline-flex min-h-7 items-center gap-1.5 rounded-control border border-line bg-surface px-2.5 text-meta whitespace-nowrap ' +
  'hover:border-edge has-focus-visible:outline-2 has-focus-visible:outline-focus has-focus-visible:outline-offset-2 pointer-coarse:min-h-11';

interface ScopeSelectProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly SelectOption[];
  readonly onChange: (value: string) => void;
}

/** A chip that chooses one of a few: *Tenant **chat***. The browser's own list lies over it. */
export function ScopeSelect({ label, value, options, onChange }: ScopeSelectProps) {
  return (
    <span className={CHIP}>
      <span aria-hidden className="text-ink-2">
        {label}
      </span>
      <b aria-hidden className="font-semibold">
        {options.find((option) => option.value === value)?.label ?? value}
      </b>
      <select
        aria-label={label}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className="absolute inset-0 cursor-pointer appearance-none opacity-0"
      >
        {options.map((option) => (
          <option key={option.value} value={option.value} disabled={option.disabled}>
            {option.label}
          </option>
        ))}
      </select>
    </span>
  );
}

interface ScopeToggleProps {
  readonly on: boolean;
  readonly onChange: (on: boolean) => void;
  readonly children: React.ReactNode;
}

/** A chip that is on or off: *● Live*. */
export function ScopeToggle({ on, onChange, children }: ScopeToggleProps) {
  return (
    <button type="button" aria-pressed={on} onClick={() => onChange(!on)} className={CHIP}>
      <span aria-hidden className={`size-2 rounded-[50%] ring-1 ring-current ${on ? 'bg-current' : ''}`} />
      {children}
    </button>
  );
}
