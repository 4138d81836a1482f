'use client';

import { useEffect, useId, useRef, useSyncExternalStore } from 'react';
import { CloseIcon } from './close-icon.tsx';
import { Sheet } from './dialog.tsx';

interface RowPanelProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: React.ReactNode;
  readonly children: React.ReactNode;
}

/**
 * The panel that shows one row beside its ledger: `<div className="desk:grid desk:grid-cols-[minmax(0,1fr)_auto]">` around
 * both. It is not modal, arrows keep moving in the ledger; Esc closes it and focus goes back to the row. Under 900 px it is a sheet.
 */
export function RowPanel({ open, onClose, title, children }: RowPanelProps) {
  const isNarrow = useIsNarrow();
  if (isNarrow) {
    return (
      <Sheet open={open} onClose={onClose} title={title}>
        {children}
      </Sheet>
    );
  }
  return open ? (
    <SidePanel onClose={onClose} title={title}>
      {children}
    </SidePanel>
  ) : null;
}

function SidePanel({ onClose, title, children }: Omit<RowPanelProps, 'open'>) {
  const titleId = useId();
  const close = useRef(onClose);
  close.current = onClose;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (
        event.key !== 'Escape' ||
        event.defaultPrevented ||
        document.querySelector('dialog:modal, [role=menu]') !== null
      )
        return;
      close.current();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  return (
    <aside
      aria-labelledby={titleId}
      className="sticky top-14 max-h-[calc(100dvh-4.5rem)] w-[30rem] max-w-[45vw] overflow-y-auto border-line border-l bg-surface"
    >
      <header className="flex items-center justify-between gap-3 border-line border-b px-4 py-2">
        <h2 id={titleId} className="min-w-0 font-semibold">
          {title}
        </h2>
        <button
          type="button"
          aria-label="Close panel"
          onClick={onClose}
          className="grid size-7 shrink-0 place-items-center rounded-control text-ink-3 hover:bg-sunken hover:text-ink"
        >
          <CloseIcon />
        </button>
      </header>
      <div className="p-4">{children}</div>
    </aside>
  );
}

const NARROW = '(width < 56.25rem)';

function useIsNarrow(): boolean {
  return useSyncExternalStore(
    (onChange) => {
      const query = matchMedia(NARROW);
      query.addEventListener('change', onChange);
      return () => query.removeEventListener('change', onChange);
    },
    () => matchMedia(NARROW).matches,
    () => false,
  );
}
