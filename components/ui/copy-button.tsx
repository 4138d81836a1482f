'use client';

import { useEffect, useState } from 'react';
import { useAnnouncer } from './announcer.tsx';
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

const REFUSED = 'The browser refused; select and copy';

/** Copies and says so in its own place. Its name stays, so that what became of it is said once. */
export function CopyButton({ text, label = 'Copy', says, className }: CopyButtonProps) {
  const { announce } = useAnnouncer();
  const [state, setState] = useState<'idle' | 'copied' | 'refused'>('idle');
  useEffect(() => {
    if (state === 'idle') return;
    const timer = setTimeout(() => setState('idle'), 2000);
    return () => clearTimeout(timer);
  }, [state]);
  const end = (next: 'copied' | 'refused') => {
    setState(next);
    announce(next === 'copied' ? 'Copied' : REFUSED);
  };
  const copy = () => {
    navigator.clipboard.writeText(typeof text === 'string' ? text : text()).then(
      () => end('copied'),
      () => end('refused'),
    );
  };
  return (
    <button
      type="button"
      onClick={copy}
      aria-label={says ?? label}
      className={cn(
        'min-h-6 whitespace-nowrap rounded-control px-2 text-accent text-meta hover:bg-accent-wash',
        className,
      )}
    >
      {state === 'copied' ? 'Copied' : state === 'refused' ? REFUSED : label}
    </button>
  );
}
