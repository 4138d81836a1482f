'use client';

import { useEffect, useId, useRef } from 'react';
import { CloseIcon } from './close-icon.tsx';
import { cn } from './cn.ts';
import { rememberFocus } from './remember-focus.ts';
import { SaidHere } from './said.tsx';

interface OverlayProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: React.ReactNode;
  readonly children: React.ReactNode;
  /** Id of the sentences that are read with the title when it opens: what the act does, before the field that asks why. */
  readonly describedBy?: string | undefined;
  /** Acts at the foot, the main one first. */
  readonly foot?: React.ReactNode;
  readonly className?: string | undefined;
}

/** A modal question. The browser's own dialog: focus stays inside, Esc closes it, focus returns to what opened it. */
export function Dialog(props: OverlayProps) {
  return <Overlay {...props} kind="dialog" />;
}

/** A modal panel at the right edge; on a phone it comes from below. */
export function Sheet(props: OverlayProps) {
  return <Overlay {...props} kind="sheet" />;
}

const PLACE = {
  dialog: 'm-auto w-[min(32rem,calc(100vw-2rem))] max-h-[calc(100dvh-4rem)] rounded-overlay',
  sheet:
    'mt-auto mb-0 w-screen max-w-none max-h-[85dvh] rounded-t-overlay tablet:my-0 tablet:mr-0 tablet:ml-auto tablet:h-dvh tablet:max-h-none tablet:w-[30rem] tablet:rounded-none',
} as const;

function Overlay({
  open,
  onClose,
  title,
  children,
  describedBy,
  foot,
  className,
  kind,
}: OverlayProps & { readonly kind: 'dialog' | 'sheet' }) {
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const dialog = ref.current;
    if (!open || dialog === null) return;
    const giveBack = rememberFocus();
    dialog.showModal();
    enter(dialog);
    return () => {
      dialog.close();
      giveBack();
    };
  }, [open]);
  useEffect(() => {
    // What had the focus is gone, with the step that came before for example: the keyboard stays in the question.
    if (ref.current?.open === true && document.activeElement === document.body) enter(ref.current);
  });
  if (!open) return null;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc is the keyboard's way out and the browser's own
    <dialog
      ref={ref}
      aria-labelledby={titleId}
      aria-describedby={describedBy}
      data-kind={kind}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === ref.current) onClose();
      }}
      className={cn(
        'overlay flex-col border border-line bg-surface p-0 text-ink shadow-overlay open:flex',
        PLACE[kind],
        className,
      )}
    >
      <div className="flex items-center justify-between gap-4 border-line border-b px-4 py-3">
        <h2 id={titleId} className="font-semibold text-prose">
          {title}
        </h2>
        <button
          type="button"
          onClick={onClose}
          aria-label="Close"
          className="grid size-7 place-items-center rounded-control text-ink-3 hover:bg-sunken hover:text-ink"
        >
          <CloseIcon />
        </button>
      </div>
      <div data-body tabIndex={-1} className="min-h-0 grow overflow-y-auto p-4 outline-none">
        {children}
      </div>
      {foot !== undefined && (
        <div className="flex flex-wrap items-center gap-2 border-line border-t px-4 py-3">{foot}</div>
      )}
      <SaidHere />
    </dialog>
  );
}

/**
 * The first control of the question takes the focus, not the cross above it; where it has none the question itself, so that
 * it is read out and a key still held from opening it answers nothing.
 */
function enter(dialog: HTMLDialogElement): void {
  const body = dialog.querySelector<HTMLElement>('[data-body]');
  const first = body?.querySelector<HTMLElement>('input, select, textarea, button, a[href]');
  (dialog.querySelector<HTMLElement>('[autofocus]') ?? first ?? body)?.focus();
}
