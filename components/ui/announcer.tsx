'use client';

import { createContext, use, useCallback, useEffect, useRef, useState } from 'react';
import { CloseIcon } from './close-icon.tsx';

interface Note {
  readonly text: string;
  readonly undo: (() => void) | undefined;
}

interface Announcer {
  /** Says it to screen readers only: *2 block, 1 warning*. */
  readonly announce: (text: string) => void;
  /** Also shows it for 8 s, with Undo where there is one. Never the only sign of a result. */
  readonly toast: (text: string, undo?: () => void) => void;
}

const AnnouncerContext = createContext<Announcer | undefined>(undefined);
const SHOWN_MS = 8000;

/** The polite live regions of the page: what is only said, and the small note at its foot, which nothing that is said takes away. */
export function AnnouncerProvider({ children }: { readonly children: React.ReactNode }) {
  const [said, announce] = useBriefly<string>();
  const [note, show] = useBriefly<Note>();
  const value = useRef<Announcer>({ announce, toast: (text, undo) => show({ text, undo }) });
  return (
    <AnnouncerContext value={value.current}>
      {children}
      <div role="status" className="sr-only">
        {said}
      </div>
      <div
        role="status"
        className={
          note === undefined
            ? 'sr-only'
            : 'overlay fixed inset-x-4 bottom-18 z-40 mx-auto flex w-fit max-w-md items-center gap-3 rounded-overlay border border-line bg-surface py-2 pr-2 pl-4 shadow-overlay desk:bottom-6'
        }
      >
        {note !== undefined && <NoteBody note={note} onClose={() => show(undefined)} />}
      </div>
    </AnnouncerContext>
  );
}

/** A value that is gone again after 8 s; a newer one has its own. */
function useBriefly<T>(): readonly [T | undefined, (value: T | undefined) => void] {
  const [current, setCurrent] = useState<{ readonly value: T }>();
  const set = useCallback((value: T | undefined) => setCurrent(value === undefined ? undefined : { value }), []);
  useEffect(() => {
    if (current === undefined) return;
    const timer = setTimeout(() => setCurrent(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [current]);
  return [current?.value, set];
}

function NoteBody({ note: { text, undo }, onClose }: { readonly note: Note; readonly onClose: () => void }) {
  return (
    <>
      <span>{text}</span>
      {undo !== undefined && (
        <button
          type="button"
          className="min-h-6 rounded-control px-2 text-accent hover:bg-accent-wash"
          onClick={() => {
            undo();
            onClose();
          }}
        >
          Undo
        </button>
      )}
      <button
        type="button"
        aria-label="Close"
        onClick={onClose}
        className="grid size-6 place-items-center rounded-control text-ink-3 hover:bg-sunken"
      >
        <CloseIcon />
      </button>
    </>
  );
}

/** The page's announcer. */
export function useAnnouncer(): Announcer {
  const value = use(AnnouncerContext);
  if (value === undefined) throw new Error('useAnnouncer needs an AnnouncerProvider above it');
  return value;
}
