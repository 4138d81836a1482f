'use client';

import { cloneElement, useId, useRef, useState } from 'react';
import { useAnnouncer } from './announcer.tsx';
import type { MenuItem } from './menu-item.ts';

type TriggerProps = React.ComponentProps<'button'>;

interface MenuProps {
  /** The button that opens it. */
  readonly trigger: React.ReactElement<TriggerProps>;
  readonly items: readonly MenuItem[];
  readonly align?: 'start' | 'end' | undefined;
  readonly side?: 'top' | 'bottom' | undefined;
}

type List = typeof import('./menu-list.tsx').MenuList;

/** A list of acts behind one button: arrows, first letters, Esc, focus back to the button. */
export function Menu({ trigger, items, align = 'end', side = 'bottom' }: MenuProps) {
  const ref = useRef<HTMLButtonElement>(null);
  const id = useId();
  const listId = `${id}-list`;
  const [open, setOpen] = useState(false);
  const [List, setList] = useState<List>();
  const { toast } = useAnnouncer();
  /** Somebody comes near: the list is there when they press. */
  const load = async () => {
    if (List !== undefined) return;
    const { MenuList } = await import('./menu-list.tsx');
    setList(() => MenuList);
  };
  const show = (next: boolean) => {
    setOpen(next);
    if (next)
      load().catch(() => {
        setOpen(false);
        toast('The menu could not be loaded: the console cannot be reached.');
      });
  };
  const ahead = () => void load().catch(() => undefined);
  const button = cloneElement(trigger, {
    ref,
    id,
    'aria-haspopup': 'menu',
    'aria-expanded': open,
    onPointerEnter: ahead,
    onFocus: ahead,
    onClick: () => show(!open),
    onKeyDown: (event: React.KeyboardEvent) => {
      if (event.key !== 'ArrowDown') return;
      event.preventDefault();
      if (open) document.getElementById(listId)?.focus();
      else show(true);
    },
  });
  return (
    <>
      {button}
      {List !== undefined && ref.current !== null && (
        <List
          id={listId}
          button={ref.current}
          items={items}
          align={align}
          side={side}
          open={open}
          onOpenChange={setOpen}
        />
      )}
    </>
  );
}
