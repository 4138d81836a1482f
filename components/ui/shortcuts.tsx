'use client';

import { createContext, use, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { usePreferences } from './preferences.tsx';
import { keyName, type Shortcut, ShortcutBook } from './shortcut-book.ts';

const BookContext = createContext<ShortcutBook | undefined>(undefined);

/** Listens to the keyboard once for the whole page. */
export function ShortcutsProvider({ children }: { readonly children: React.ReactNode }) {
  const [book] = useState(() => new ShortcutBook());
  const { singleKeys } = usePreferences();
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isSingle = !(event.metaKey || event.ctrlKey);
      if (event.defaultPrevented || event.isComposing || event.altKey) return;
      if (isSingle && (singleKeys === 'off' || isTaken(event))) return;
      const shortcut = book.press(keyName(event), event.timeStamp);
      if (shortcut === undefined) return;
      event.preventDefault();
      shortcut.run();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [book, singleKeys]);
  return <BookContext value={book}>{children}</BookContext>;
}

/** Keys of a page or a part, while it is on screen. The newest registration of a key wins. */
export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  const book = useBook();
  const latest = useRef(shortcuts);
  latest.current = shortcuts;
  const signature = shortcuts.map(({ keys, label }) => `${keys}\u0000${label}`).join('\u0001');
  useEffect(() => {
    const entries =
      signature === ''
        ? []
        : latest.current.map((shortcut, at) => ({ ...shortcut, run: () => latest.current[at]?.run() }));
    return book.add(entries);
  }, [book, signature]);
}

/** Every key that works on this page now, for the help and the palette. */
export function useShortcutList(): readonly Shortcut[] {
  const book = useBook();
  return useSyncExternalStore(book.subscribe, book.list, book.list);
}

function useBook(): ShortcutBook {
  const book = use(BookContext);
  if (book === undefined) throw new Error('shortcuts need a ShortcutsProvider above them');
  return book;
}

/** Single keys belong to whoever types, and to the menu or dialog that lies above the page. */
function isTaken(event: KeyboardEvent): boolean {
  const target = event.target instanceof HTMLElement ? event.target : undefined;
  if (target?.isContentEditable || target?.closest('input, textarea, select, [role=menu], dialog')) return true;
  return document.querySelector('dialog:modal') !== null;
}
