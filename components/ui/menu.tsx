'use client';

import Link from 'next/link';
import { DropdownMenu } from 'radix-ui';
import { useState } from 'react';
import { cn } from './cn.ts';

interface MenuAct {
  readonly label: React.ReactNode;
  readonly href?: string | undefined;
  readonly onSelect?: (() => void) | undefined;
  /** Why it cannot be chosen now; it stays in the menu and says this under its label. */
  readonly disabledWhy?: string | undefined;
  readonly danger?: boolean | undefined;
  /** Key that does the same, shown at the end. */
  readonly keys?: string | undefined;
  /** Shows a mark when it is the chosen one of its group. */
  readonly checked?: boolean | undefined;
}

/** An entry of a menu: an act, a heading, or a line between groups. */
export type MenuItem = MenuAct | { readonly heading: string } | 'line';

interface MenuProps {
  /** The button that opens it. It must take a ref and props (a `<button>`). */
  readonly trigger: React.ReactElement;
  readonly items: readonly MenuItem[];
  readonly align?: 'start' | 'end' | undefined;
  readonly side?: 'top' | 'bottom' | undefined;
}

const ITEM =
  'flex min-h-8 cursor-pointer items-center gap-3 rounded-control px-2 outline-none data-highlighted:bg-accent-wash pointer-coarse:min-h-11';

/** A list of acts behind one button: arrows, first letters, Esc, focus back to the button. */
export function Menu({ trigger, items, align = 'end', side = 'bottom' }: MenuProps) {
  // Inside a modal dialog the menu must lie in its top layer; the body is inert there.
  const [container, setContainer] = useState<HTMLElement | null>(null);
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild ref={(element) => setContainer(element?.closest('dialog') ?? null)}>
        {trigger}
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal container={container}>
        <DropdownMenu.Content
          align={align}
          side={side}
          sideOffset={4}
          collisionPadding={8}
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
