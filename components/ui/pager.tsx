'use client';

import { usePathname } from 'next/navigation';
import { useEffect, useRef } from 'react';
import { useAnnouncer } from './announcer.tsx';
import { countWords, type ListPage, turnedWords } from './list-place.ts';
import { TextLink } from './text-link.tsx';
import { useUrlState, withParams } from './use-url-state.ts';

export interface PagerProps {
  /** Cursors of the page on screen, from the API's reply. */
  readonly page: ListPage;
  /** The page on screen is the one before: the one that was asked for is on its way. */
  readonly isTurning: boolean;
  /** What is counted: `types`, and one of it where that is not the same without its s. */
  readonly noun: string;
  readonly one?: string | undefined;
  /** Words for the two directions; lists by time say Newer and Older. */
  readonly words?: { readonly previous: string; readonly next: string } | undefined;
}

/** A list begins this far under the top of the window: below the bar that always stays. */
const UNDER_BAR_PX = 60;

/**
 * The foot of a list that the server pages: the total, and links to the neighbouring pages. Back returns. While a page is on
 * its way both links say so and do nothing, since they lead away from a page that has been left. Whoever turned the page
 * hears where it stands, and keeps the focus when the link that was pressed leads no further.
 */
export function Pager({
  page,
  isTurning,
  noun,
  one = noun.replace(/s$/, ''),
  words = { previous: 'Newer', next: 'Older' },
}: PagerProps) {
  const ref = useRef<HTMLElement>(null);
  const asked = useRef<'previous' | 'next'>(undefined);
  const { announce } = useAnnouncer();
  const turned = turnedWords(page);
  useEffect(() => {
    // Back and Forward restore where the page was scrolled to; only whoever turned the page is taken to its first row.
    if (isTurning || asked.current === undefined) return;
    asked.current = undefined;
    announce(turned);
    if (document.activeElement === document.body) {
      const next = ref.current?.querySelector('a') ?? document.getElementById('main');
      next?.focus({ preventScroll: true });
    }
    const top = ref.current?.parentElement?.getBoundingClientRect().top ?? 0;
    if (top < 0) window.scrollBy({ top: top - UNDER_BAR_PX });
  }, [isTurning, turned, announce]);
  return (
    <nav
      ref={ref}
      aria-label={`Pages of ${noun}`}
      aria-busy={isTurning || undefined}
      className="flex min-h-9 flex-wrap items-center gap-x-4 gap-y-1 border-line border-t px-4 py-1.5 text-ink-3 text-meta"
    >
      <span className="mr-auto">{countWords(page.total, noun, one)}</span>
      {(['previous', 'next'] as const).map((way) => (
        <PageLink
          key={way}
          cursor={page[way]}
          isTurning={isTurning}
          onTurn={() => {
            asked.current = way;
          }}
        >
          {words[way]}
        </PageLink>
      ))}
    </nav>
  );
}

interface PageLinkProps {
  /** Undefined where there is no such page. */
  readonly cursor: string | undefined;
  readonly isTurning: boolean;
  readonly onTurn: () => void;
  readonly children: string;
}

function PageLink({ cursor, isTurning, onTurn, children }: PageLinkProps) {
  const pathname = usePathname();
  const { search, set } = useUrlState();
  if (cursor === undefined) return null;
  const turn = (event: React.MouseEvent) => {
    // With a modifier the browser opens it elsewhere.
    if (!isTurning && (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)) return;
    event.preventDefault();
    if (isTurning) return;
    onTurn();
    set({ cursor });
  };
  return (
    <TextLink
      href={`${pathname}?${withParams(search, { cursor })}`}
      prefetch={false}
      onClick={turn}
      aria-disabled={isTurning || undefined}
      className={isTurning ? 'cursor-progress text-ink-3' : undefined}
    >
      {children}
      {isTurning && <span aria-hidden>…</span>}
    </TextLink>
  );
}
