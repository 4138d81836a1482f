'use client';

import Link from 'next/link';
import { cn } from '#components/ui/cn.ts';
import { usePreferences } from '#components/ui/preferences.tsx';
import { AccountMenu } from './account-menu.tsx';
import { NavList } from './nav-list.tsx';
import { useShell } from './queries.ts';
import { Wordmark } from './wordmark.tsx';

/** The sidebar of a desk: 208 px, or 48 px collapsed. Under 900 px the drawer and the bottom bar take its place. */
export function Sidebar() {
  const { sidebar, setPreference } = usePreferences();
  const shell = useShell().data;
  const isCollapsed = sidebar === 'collapsed';
  return (
    <aside
      aria-label="Sidebar"
      className={cn(
        'sticky top-0 hidden h-dvh shrink-0 flex-col border-line border-r desk:flex',
        isCollapsed ? 'w-12' : 'w-52',
      )}
    >
      <div className={cn('flex h-11 shrink-0 items-center', isCollapsed ? 'justify-center' : 'px-4')}>
        <Link href="/" prefetch={false} className="min-w-0 rounded-control">
          <Wordmark installation={shell?.installation} compact={isCollapsed} />
        </Link>
      </div>
      <NavList collapsed={isCollapsed} />
      <div className={cn('flex items-center gap-1 border-line border-t p-2', isCollapsed && 'flex-col')}>
        <AccountMenu compact={isCollapsed} />
        <button
          type="button"
          aria-expanded={!isCollapsed}
          aria-label={isCollapsed ? 'Widen the sidebar' : 'Narrow the sidebar'}
          title={isCollapsed ? 'Widen the sidebar' : 'Narrow the sidebar'}
          onClick={() => setPreference('sidebar', isCollapsed ? 'open' : 'collapsed')}
          className="grid size-7 shrink-0 place-items-center rounded-control text-ink-3 hover:bg-sunken hover:text-ink"
        >
          <svg
            viewBox="0 0 14 14"
            width="14"
            height="14"
            fill="none"
            stroke="currentColor"
            strokeWidth="1.25"
            strokeLinecap="round"
            aria-hidden
          >
            <path d={isCollapsed ? 'M4 2.5v9M7 7h5M9.5 4.5 12 7 9.5 9.5' : 'M4 2.5v9M12 7H7M9.5 4.5 7 7l2.5 2.5'} />
          </svg>
        </button>
      </div>
    </aside>
  );
}
