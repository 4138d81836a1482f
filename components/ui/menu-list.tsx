'use client';

import Link from 'next/link';
import { DropdownMenu } from 'radix-ui';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { cn } from './cn.ts';
import type { MenuItem } from './menu-item.ts';

interface MenuListProps {
  readonly id: string;
  /** The button that it hangs from, and that focus returns to. */
  readonly button: HTMLElement;
  readonly items: readonly MenuItem[];
  readonly align: 'start' | 'end';
  readonly side: 'top' | 'bottom';
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

const ITEM =
  'flex min-h-8 cursor-pointer items-center gap-3 rounded-control px-2 outline-none data-highlighted:bg-accent-wash pointer-coarse:min-h-11';

/** The open part of a menu. It is loaded apart from its button: on most pages nobody opens one. */
export function MenuList({ id, button, items, align, side, open, onOpenChange }: MenuListProps) {
  const place = usePlace(button, open);
  const isOpen = useRef(open);
  useLayoutEffect(() => {
    isOpen.current = open;
  }, [open]);
  return (
    <DropdownMenu.Root modal={false} open={open} onOpenChange={onOpenChange}>
      <DropdownMenu.Trigger asChild>
        <span aria-hidden tabIndex={-1} className="pointer-events-none fixed" style={place} />
      </DropdownMenu.Trigger>
      {/* Inside a modal dialog the menu must lie in its top layer; the body is inert there. */}
      <DropdownMenu.Portal container={button.closest('dialog')}>
        <DropdownMenu.Content
          id={id}
          align={align}
          side={side}
          sideOffset={4}
          collisionPadding={8}
          aria-labelledby={button.id}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            // This comes a turn after closing: by then it may be open again and have the focus.
            if (!isOpen.current) button.focus();
          }}
          // The button closes what it opened by itself.
          onInteractOutside={(event) => {
            if (event.target instanceof Node && button.contains(event.target)) event.preventDefault();
          }}
          className="overlay z-50 min-w-48 max-w-72 rounded-overlay border border-line bg-surface p-1 text-body shadow-overlay"
        >
          {items.map((item, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list is fixed while the menu is open
            <MenuEntry key={index} item={item} />
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

/** Where the button lies in the window, also while the page scrolls under an open menu. */
function usePlace(button: HTMLElement, open: boolean) {
  const [place, setPlace] = useState(() => placeOf(button));
  useEffect(() => {
    if (!open) return;
    const look = () => setPlace(placeOf(button));
    look();
    addEventListener('scroll', look, { capture: true, passive: true });
    addEventListener('resize', look);
    return () => {
      removeEventListener('scroll', look, { capture: true });
      removeEventListener('resize', look);
    };
  }, [button, open]);
  return place;
}

function placeOf(button: HTMLElement) {
  const { left, top, width, height } = button.getBoundingClientRect();
  return { left, top, width, height };
}

function MenuEntry({ item }: { readonly item: MenuItem }) {
  if (item === 'line') return <DropdownMenu.Separator className="my-1 h-px bg-line" />;
  if ('heading' in item)
    return <DropdownMenu.Label className="px-2 pt-2 pb-1 text-ink-3 text-meta">{item.heading}</DropdownMenu.Label>;
  const content = (
    <>
      <span className="grow">
        {item.label}
        {item.disabledWhy !== undefined && <span className="block text-ink-3 text-meta">{item.disabledWhy}</span>}
      </span>
      {item.checked === true && <span aria-hidden>✓</span>}
      {item.keys !== undefined && <kbd className="font-mono text-ink-3 text-meta">{item.keys}</kbd>}
    </>
  );
  const isOff = item.disabledWhy !== undefined;
  const className = cn(ITEM, item.danger && 'text-danger', isOff && 'text-ink-3');
  if (item.href !== undefined && !isOff) {
    return (
      <DropdownMenu.Item asChild>
        <Link href={item.href} className={className}>
          {content}
        </Link>
      </DropdownMenu.Item>
    );
  }
  return (
    <DropdownMenu.Item
      className={className}
      aria-disabled={isOff || undefined}
      {...(item.checked === undefined ? {} : { role: 'menuitemradio', 'aria-checked': item.checked })}
      onSelect={(event) => {
        if (isOff) event.preventDefault();
        else item.onSelect?.();
      }}
    >
      {content}
    </DropdownMenu.Item>
  );
}
