'use client';

import Link from 'next/link';
import { useId } from 'react';
import { cn } from './cn.ts';

export type ButtonLook = 'primary' | 'secondary' | 'quiet' | 'danger';

const BASE =
  'inline-flex min-h-7 items-center justify-center gap-1.5 whitespace-nowrap rounded-control text-body font-medium pointer-coarse:min-h-11';

const LOOK: Readonly<Record<ButtonLook, string>> = {
  primary:
    'px-3 bg-accent text-on-accent hover:bg-accent-hover aria-disabled:bg-sunken aria-disabled:text-ink-3 aria-disabled:ring-1 aria-disabled:ring-line aria-disabled:ring-inset',
  secondary:
    'px-3 bg-surface text-ink ring-1 ring-edge ring-inset hover:bg-sunken aria-disabled:text-ink-3 aria-disabled:ring-line',
  quiet: 'px-2 text-accent hover:bg-accent-wash aria-disabled:text-ink-3 aria-disabled:hover:bg-transparent',
  danger:
    'px-3 bg-surface text-danger ring-1 ring-danger ring-inset hover:bg-danger-wash aria-disabled:text-ink-3 aria-disabled:ring-line',
};

interface ButtonProps extends Omit<React.ComponentProps<'button'>, 'disabled'> {
  readonly look?: ButtonLook | undefined;
  /** Why it cannot be pressed now and who can. It stays visible and focusable, and says this on focus and hover. */
  readonly disabledWhy?: string | undefined;
  /** The act was sent and has no answer yet; the word after it says what is happening. */
  readonly pending?: boolean | undefined;
}

/** An act. Words are verb + noun. An act that is not yours stays in place and says why. */
export function Button({
  look = 'secondary',
  disabledWhy,
  pending = false,
  className,
  children,
  onClick,
  type = 'button',
  ...rest
}: ButtonProps) {
  const whyId = useId();
  const isOff = disabledWhy !== undefined || pending;
  return (
    <span className={cn('tip-scope', className)}>
      <button
        {...rest}
        type={isOff && type === 'submit' ? 'button' : type}
        className={cn(BASE, LOOK[look], 'grow')}
        onClick={isOff ? undefined : onClick}
        aria-disabled={isOff || undefined}
        aria-busy={pending || undefined}
        aria-describedby={disabledWhy === undefined ? rest['aria-describedby'] : whyId}
      >
        {children}
        {pending && <span aria-hidden>…</span>}
      </button>
      {disabledWhy !== undefined && (
        <span id={whyId} role="tooltip" className="tip">
          {disabledWhy}
        </span>
      )}
    </span>
  );
}

interface LinkButtonProps extends React.ComponentProps<typeof Link> {
  readonly look?: ButtonLook | undefined;
}

/** A link that looks like an act, for acts that start on another page. */
export function LinkButton({ look = 'secondary', className, ...rest }: LinkButtonProps) {
  return <Link {...rest} className={cn(BASE, LOOK[look], className)} />;
}
