'use client';

import { messageOf } from '#components/api-client.ts';
import { Button } from '#components/ui/button.tsx';
import type { MenuItem } from '#components/ui/menu-item.ts';
import { MoreMenu } from '#components/ui/more-menu.tsx';
import type { Draft } from './my-drafts.ts';

interface DraftChoiceProps {
  /** What the button does, always in a new change. */
  readonly label: string;
  /** What the menu beside it is called for those who do not see it. */
  readonly menuLabel: string;
  /** Open drafts of mine, in their order. */
  readonly drafts: readonly Draft[];
  readonly onChoose: (change: number | undefined) => void;
  /** Further entries of the menu. */
  readonly more?: readonly MenuItem[] | undefined;
  readonly act: { readonly isPending: boolean; readonly isError: boolean; readonly error: unknown };
}

/** More do not fit a menu; the rest are on the page of changes. */
const SHOWN = 8;

/** An act in a new change, and beside it the same in one of my open drafts. */
export function DraftChoice({ label, menuLabel, drafts, onChoose, more = [], act }: DraftChoiceProps) {
  const items: readonly MenuItem[] = [
    ...(drafts.length === 0 ? [] : [{ heading: 'In an open draft of yours' }]),
    ...drafts.slice(0, SHOWN).map(({ number, title, touches }) => ({
      label: (
        <>
          ∆{number} {title}
          {touches && <span className="block text-ink-3 text-meta">edits it already</span>}
        </>
      ),
      onSelect: () => onChoose(number),
    })),
    ...(drafts.length === 0 || more.length === 0 ? [] : ['line' as const]),
    ...more,
  ];
  return (
    <div className="grid justify-items-end gap-1">
      <div className="flex items-center gap-1">
        <Button pending={act.isPending} onClick={() => onChoose(undefined)}>
          {label}
        </Button>
        <MoreMenu label={menuLabel} items={items} />
      </div>
      {act.isError && (
        <p role="alert" className="max-w-80 text-right text-danger text-meta">
          {messageOf(act.error)}
        </p>
      )}
    </div>
  );
}
