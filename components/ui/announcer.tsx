'use client';

import { createContext, use, useCallback, useEffect, useState } from 'react';
import { Note, type NoteWords } from './note.tsx';
import { SaidOnPage, useSaid } from './said.tsx';

interface Announcer {
  /** Says it to screen readers only: *2 block, 1 warning*. */
  readonly announce: (text: string) => void;
  /** Says it and shows it for 8 s, longer with Undo. Never the only sign of a result. */
  readonly toast: (text: string, undo?: () => void) => void;
}

const AnnouncerContext = createContext<Announcer | undefined>(undefined);
const SHOWN_MS = 8000;
const UNDO_SHOWN_MS = 20_000;

/** What is said to screen readers, and the small note at the foot of the page, which nothing that is said takes away. */
export function AnnouncerProvider({ children }: { readonly children: React.ReactNode }) {
  const [said, announce] = useSaid();
  const [note, setNote] = useState<NoteWords>();
  const [isHeld, setHeld] = useState(false);
  const close = useCallback(() => {
    setNote(undefined);
    setHeld(false);
  }, []);
  useEffect(() => {
    if (note === undefined || isHeld) return;
    const timer = setTimeout(close, note.undo === undefined ? SHOWN_MS : UNDO_SHOWN_MS);
    return () => clearTimeout(timer);
  }, [note, isHeld, close]);
  const [value] = useState<Announcer>(() => ({
    announce,
    toast: (text, undo) => {
      setNote({ text, undo });
      announce(undo === undefined ? text : `${text} Undo is in the note at the end of the page.`);
    },
  }));
  return (
    <AnnouncerContext value={value}>
      <SaidOnPage said={said}>{children}</SaidOnPage>
      {note !== undefined && <Note note={note} onClose={close} onHold={setHeld} />}
    </AnnouncerContext>
  );
}

/** The page's announcer. */
export function useAnnouncer(): Announcer {
  const value = use(AnnouncerContext);
  if (value === undefined) throw new Error('useAnnouncer needs an AnnouncerProvider above it');
  return value;
}
