'use client';

import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { useModKey } from '#components/ui/mod-key.tsx';
import { Rail } from '#components/ui/rail.tsx';
import { crumbsOf } from './crumbs.ts';
import { useShell } from './queries.ts';

interface TopBarProps {
  readonly onSearch: () => void;
  readonly onMenu: () => void;
}

/** Where this page is, where the target release is live, and the palette. Always in view. */
export function TopBar({ onSearch, onMenu }: TopBarProps) {
  const crumbs = crumbsOf(usePathname());
  const shell = useShell().data;
  const mod = useModKey();
  const last = crumbs.at(-1);
  return (
    <header className="sticky top-0 z-30 flex h-11 items-center gap-3 border-line border-b bg-canvas px-4 desk:px-6">
      <button
        type="button"
        aria-label="Menu"
        onClick={onMenu}
        className="-ml-2 grid size-8 shrink-0 place-items-center rounded-control hover:bg-sunken desk:hidden pointer-coarse:size-11"
      >
        <svg
          viewBox="0 0 14 14"
          width="14"
          height="14"
          stroke="currentColor"
          strokeWidth="1.25"
          strokeLinecap="round"
          aria-hidden
        >
          <path d="M1.5 4h11M1.5 7h11M1.5 10h11" />
        </svg>
      </button>
      <nav aria-label="Where you are" className="min-w-0 grow">
        <ol className="flex items-center gap-1.5">
          {crumbs.slice(0, -1).map((crumb) => (
            <li key={crumb.href} className="hidden shrink-0 gap-1.5 text-ink-3 tablet:flex">
              <Link href={crumb.href} prefetch={false} className="rounded-cell hover:text-ink">
                {crumb.label}
              </Link>
              <span aria-hidden>/</span>
            </li>
          ))}
          {last !== undefined && (
            <li aria-current="page" className="min-w-0 truncate font-medium">
              <bdi>{last.label}</bdi>
            </li>
          )}
        </ol>
      </nav>
      {shell !== undefined && <Rail target={shell.target} gateways={shell.gateways} className="shrink-0" />}
      <button
        type="button"
        onClick={onSearch}
        aria-label={`Search, go, act: ${mod.with('K')}`}
        aria-keyshortcuts={`${mod.aria}+K`}
        className="hidden min-h-7 shrink-0 items-center rounded-control border border-line bg-surface px-2.5 text-ink-2 text-meta hover:border-edge hover:text-ink tablet:inline-flex"
      >
        {mod.with('K')}
      </button>
    </header>
  );
}
