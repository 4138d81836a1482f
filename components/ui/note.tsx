'use client';

import { CloseIcon } from './close-icon.tsx';
import { useShortcuts } from './shortcuts.tsx';

export interface NoteWords {
  readonly text: string;
  readonly undo: (() => void) | undefined;
}

interface NoteProps {
  readonly note: NoteWords;
  readonly onClose: () => void;
  /** Somebody is at it: it stays as long. */
  readonly onHold: (isHeld: boolean) => void;
}

/** The small note at the foot of the page. It is no live region: the announcer says its words, without its buttons. */
export function Note({ note: { text, undo }, onClose, onHold }: NoteProps) {
  const undoIt = () => {
    undo?.();
    onClose();
  };
  useShortcuts(undo === undefined ? [] : [{ keys: 'u', label: `Undo: ${text}`, run: undoIt }]);
  return (
    <section
      aria-label="Note"
      onPointerEnter={() => onHold(true)}
      onPointerLeave={() => onHold(false)}
      onFocus={() => onHold(true)}
      onBlur={() => onHold(false)}
      className="overlay fixed inset-x-4 bottom-18 z-40 mx-auto flex w-fit max-w-md items-center gap-3 rounded-overlay border border-line bg-surface py-2 pr-2 pl-4 shadow-overlay desk:bottom-6"
    >
      <span>{text}</span>
      {undo !== undefined && (
        <button
          type="button"
          className="min-h-6 rounded-control px-2 text-accent hover:bg-accent-wash"
          onClick={undoIt}
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
    </section>
  );
}
