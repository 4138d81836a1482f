'use client';

import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { cn } from '#components/ui/cn.ts';
import { isCurrent } from './nav-items.ts';
import { NavMark } from './nav-mark.tsx';
import { useShell } from './queries.ts';

const PLACES = [
  { label: 'Home', href: '/' },
  { label: 'Inbox', href: '/inbox' },
  { label: 'Run', href: '/latency' },
] as const;

const TARGET = 'flex min-h-13 flex-col items-center justify-center gap-0.5 text-tick focus-visible:-outline-offset-4';

/** Under 900 px: the four places of someone on call. */
export function BottomBar({ onSearch }: { readonly onSearch: () => void }) {
  const pathname = usePathname();
  const inbox = useShell().data?.inboxCount ?? 0;
  return (
    <nav
      aria-label="Main places"
      className="fixed inset-x-0 bottom-0 z-30 grid grid-cols-4 border-line border-t bg-surface pb-[env(safe-area-inset-bottom)] desk:hidden"
    >
      {PLACES.map(({ label, href }) => {
        const current = isCurrent(href, pathname);
        return (
          <Link
            key={href}
            href={href}
            prefetch={false}
            aria-current={current ? 'page' : undefined}
            className={cn(TARGET, current ? 'text-accent' : 'text-ink-2')}
          >
            <NavMark href={href} />
            {label === 'Inbox' && inbox > 0 ? `Inbox ${inbox}` : label}
          </Link>
        );
      })}
      <button type="button" onClick={onSearch} className={cn(TARGET, 'text-ink-2')}>
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
          <circle cx="6" cy="6" r="4" />
          <path d="m9 9 3.5 3.5" />
        </svg>
        Search
      </button>
    </nav>
  );
}
