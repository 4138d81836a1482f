'use client';

import { useAnnouncer } from './announcer.tsx';
import { plural } from './format-number.ts';

interface NewRowsProps {
  readonly fresh: number;
  /** A whole page is new: there may be more than were counted. */
  readonly isAll: boolean;
  readonly noun: string;
  readonly onShow: () => void;
}

/** The line above a live list that says how many rows wait. It keeps its height, so that nothing moves when one arrives. */
export function NewRows({ fresh, isAll, noun, onShow }: NewRowsProps) {
  const { announce } = useAnnouncer();
  const words = `${isAll ? 'At least ' : ''}${plural(fresh, `new ${noun}`)}`;
  return (
    <div className="flex min-h-7 items-center text-meta">
      {fresh === 0 ? (
        <span className="text-ink-3">Live: new {noun}s wait here.</span>
      ) : (
        <button
          type="button"
          onClick={() => {
            announce(`${words} shown`);
            onShow();
          }}
          className="min-h-6 rounded-control px-2 font-medium text-accent hover:bg-accent-wash"
        >
          {words} · Show
        </button>
      )}
    </div>
  );
}
