'use client';

import { Menu } from './menu.tsx';
import type { MenuItem } from './menu-item.ts';

interface MoreMenuProps {
  /** What the menu is called for those who do not see it. */
  readonly label: string;
  readonly items: readonly MenuItem[];
}

/** The acts behind ⋯; nothing where there are none. */
export function MoreMenu({ label, items }: MoreMenuProps) {
  if (items.length === 0) return null;
  return (
    <Menu
      items={items}
      trigger={
        <button
          type="button"
          aria-label={label}
          title={label}
          className="grid size-7 place-items-center rounded-control hover:bg-sunken pointer-coarse:size-11"
        >
          ⋯
        </button>
      }
    />
  );
}
