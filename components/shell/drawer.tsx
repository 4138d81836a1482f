'use client';

import { useEffect, useRef } from 'react';
import { CloseIcon } from '#components/ui/close-icon.tsx';
import { SaidHere } from '#components/ui/said.tsx';
import { AccountMenu } from './account-menu.tsx';
import { NavList } from './nav-list.tsx';
import { useShell } from './queries.ts';
import { Wordmark } from './wordmark.tsx';

/** The whole navigation under 900 px, from the left edge. Esc or a tap beside it closes it. */
export function Drawer({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  const ref = useRef<HTMLDialogElement>(null);
  const shell = useShell().data;
  useEffect(() => {
    const dialog = ref.current;
    if (!open || dialog === null) return;
    dialog.showModal();
    return () => dialog.close();
  }, [open]);
  if (!open) return null;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc is the keyboard's way out and the browser's own
    <dialog
      ref={ref}
      aria-label="Menu"
      data-kind="sheet"
      onClose={onClose}
      onClick={(event) => {
        if (event.target === ref.current) onClose();
      }}
      className="overlay m-0 h-dvh max-h-none w-64 max-w-[85vw] flex-col border-line border-r bg-canvas p-0 text-ink open:flex"
    >
      <div className="flex h-11 shrink-0 items-center justify-between pr-2 pl-4">
        <Wordmark installation={shell?.installation} />
        <button
          type="button"
          aria-label="Close menu"
          onClick={onClose}
          className="grid size-8 place-items-center rounded-control text-ink-3 hover:bg-sunken pointer-coarse:size-11"
        >
          <CloseIcon />
        </button>
      </div>
      <NavList onGo={onClose} />
      <div className="flex border-line border-t p-2">
        <AccountMenu />
      </div>
      <SaidHere />
    </dialog>
  );
}
