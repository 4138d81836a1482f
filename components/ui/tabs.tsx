'use client';

import Link from 'next/link';
import { usePathname, useSearchParams } from 'next/navigation';
import { cn } from './cn.ts';

export interface Tab {
  /** Value of the URL parameter. The first tab is the default and leaves the URL clean. */
  readonly value: string;
  readonly label: string;
  readonly count?: number | undefined;
}

interface TabsProps {
  readonly label: string;
  readonly tabs: readonly [Tab, ...Tab[]];
  /** Name of the URL parameter; `tab` unless a page has two sets. */
  readonly param?: string | undefined;
  readonly className?: string | undefined;
}

/** Views of one thing, as links: the tab is in the URL, Back returns to the one before. */
export function Tabs({ label, tabs, param = 'tab', className }: TabsProps) {
  const pathname = usePathname();
  const search = useSearchParams();
  const current = useTab(tabs, param);
  return (
    <nav aria-label={label} className={cn('flex gap-5 overflow-x-auto border-line border-b', className)}>
      {tabs.map((tab) => {
        const isCurrent = tab.value === current;
        return (
          <Link
            key={tab.value}
            ref={isCurrent ? showInRow : undefined}
            href={hrefOf(pathname, search, { param, value: tab.value === tabs[0].value ? undefined : tab.value })}
            scroll={false}
            aria-current={isCurrent ? 'page' : undefined}
            className={cn(
              '-mb-px flex min-h-9 items-center gap-1.5 whitespace-nowrap border-b-2 focus-visible:-outline-offset-2 pointer-coarse:min-h-11',
              isCurrent
                ? 'border-accent font-medium text-ink'
                : 'border-transparent text-ink-2 hover:border-line hover:text-ink',
            )}
          >
            {tab.label}
            {tab.count !== undefined && <span className="text-ink-3 text-meta">{tab.count}</span>}
          </Link>
        );
      })}
    </nav>
  );
}

/** On a narrow screen the row of tabs scrolls; the open one is never outside it. Only the row moves, not the page. */
const showInRow = (tab: HTMLElement | null): void => {
  const row = tab?.parentElement;
  if (!tab || !row) return;
  const left = tab.offsetLeft - row.offsetLeft;
  if (left < row.scrollLeft || left + tab.offsetWidth > row.scrollLeft + row.clientWidth)
    row.scrollLeft = left - (row.clientWidth - tab.offsetWidth) / 2;
};

/** The open tab, from the URL; an unknown value is the first tab. */
export function useTab(tabs: readonly [Tab, ...Tab[]], param = 'tab'): string {
  const wanted = useSearchParams().get(param);
  return tabs.find((tab) => tab.value === wanted)?.value ?? tabs[0].value;
}

function hrefOf(pathname: string, search: URLSearchParams, set: { param: string; value: string | undefined }): string {
  const next = new URLSearchParams(search);
  if (set.value === undefined) next.delete(set.param);
  else next.set(set.param, set.value);
  const query = next.toString();
  return query === '' ? pathname : `${pathname}?${query}`;
}
