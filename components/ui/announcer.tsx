'use client';

import { createContext, use, useCallback, useEffect, useRef, useState } from 'react';
import { CloseIcon } from './close-icon.tsx';

interface Announcement {
  readonly text: string;
  readonly undo: (() => void) | undefined;
  readonly isVisible: boolean;
}

interface Announcer {
  /** Says it to screen readers only: *2 block, 1 warning*. */
  readonly announce: (text: string) => void;
  /** Also shows it for 8 s, with Undo where there is one. Never the only sign of a result. */
  readonly toast: (text: string, undo?: () => void) => void;
}

const AnnouncerContext = createContext<Announcer | undefined>(undefined);
const SHOWN_MS = 8000;

/** The one polite live region of the page, and the small note at its foot. */
export function AnnouncerProvider({ children }: { readonly children: React.ReactNode }) {
  const [current, setCurrent] = useState<Announcement>();
  const announce = useCallback((text: string) => setCurrent({ text, undo: undefined, isVisible: false }), []);
  const toast = useCallback((text: string, undo?: () => void) => setCurrent({ text, undo, isVisible: true }), []);
  const value = useRef<Announcer>({ announce, toast });
  useEffect(() => {
    if (current === undefined) return;
    const timer = setTimeout(() => setCurrent(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [current]);
  return (
    <AnnouncerContext value={value.current}>
      {children}
      <div
        role="status"
        aria-live="polite"
        className={
          current?.isVisible
            ? 'overlay fixed inset-x-4 bottom-18 z-40 mx-auto flex w-fit max-w-md items-center gap-3 rounded-overlay border border-line bg-surface py-2 pr-2 pl-4 shadow-overlay desk:bottom-6'
            : 'sr-only'
        }
      >
        <span>{current?.text}</span>
        {current?.isVisible && (
          <>
            {current.undo !== undefined && (
              <button
                type="button"
                className="min-h-6 rounded-control px-2 text-accent hover:bg-accent-wash"
                onClick={() => {
                  current.undo?.();
                  setCurrent(undefined);
                }}
              >
                Undo
              </button>
            )}
            <button
              type="button"
              aria-label="Close"
              onClick={() => setCurrent(undefined)}
              className="grid size-6 place-items-center rounded-control text-ink-3 hover:bg-sunken"
            >
              <CloseIcon />
            </button>
          </>
        )}
      </div>
    </AnnouncerContext>
  );
}

/** The page's announcer. */
export function useAnnouncer(): Announcer {
  const value = use(AnnouncerContext);
  if (value === undefined) throw new Error('useAnnouncer needs an AnnouncerProvider above it');
  return value;
}
