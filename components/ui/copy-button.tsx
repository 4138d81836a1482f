'use client';

import { useEffect, useState } from 'react';
import { cn } from './cn.ts';

interface CopyButtonProps {
  /** The text, or how to make it at the moment of the click (a link with absolute times). */
  readonly text: string | (() => string);
  /** Verb and noun: `Copy`, `Copy link`, `Copy request id`. */
  readonly label?: string | undefined;
  /** What is copied, for those who do not see what stands beside it. */
  readonly says?: string | undefined;
  readonly className?: string | undefined;
}

/** Copies and says so in its own place. */
export function CopyButton({ text, label = 'Copy', says, className }: CopyButtonProps) {
  const [state, setState] = useState<'idle' | 'copied' | 'refused'>('idle');
  useEffect(() => {
    if (state === 'idle') return;
    const timer = setTimeout(() => setState('idle'), 2000);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = () => {
    navigator.clipboard.writeText(typeof text === 'string' ? text : text()).then(
      () => setState('copied'),
      () => setState('refused'),
    );
  };
  return (
    <button
      type="button"
      onClick={copy}
      aria-label={state === 'idle' ? says : undefined}
      className={cn(
        'min-h-6 whitespace-nowrap rounded-control px-2 text-accent text-meta hover:bg-accent-wash',
        className,
      )}
    >
      <span aria-live="polite">
        {state === 'copied' ? 'Copied' : state === 'refused' ? 'The browser refused; select and copy' : label}
      </span>
    </button>
  );
}
