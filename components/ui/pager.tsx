'use client';

import { usePathname, useSearchParams } from 'next/navigation';
import { plural } from './format-number.ts';
import { TextLink } from './text-link.tsx';

interface PagerProps {
  /** Cursors of the page on screen, from the API's reply. */
  readonly page: {
    readonly next?: string | undefined;
    readonly previous?: string | undefined;
    readonly total: number | null;
  };
  /** What is counted: `types`, and one of it where that is not the same without its s. */
  readonly noun: string;
  readonly one?: string | undefined;
  /** Words for the two directions; lists by time say Newer and Older. */
  readonly words?: { readonly previous: string; readonly next: string } | undefined;
}

/** The foot of a list that the server pages: the total, and links to the neighbouring pages. Back returns. */
export function Pager({
  page,
  noun,
  one = noun.replace(/s$/, ''),
  words = { previous: 'Newer', next: 'Older' },
}: PagerProps) {
  const pathname = usePathname();
  const search = useSearchParams();
  const hrefOf = (cursor: string) => {
    const next = new URLSearchParams(search);
    next.set('cursor', cursor);
    return `${pathname}?${next}`;
  };
  return (
    <nav
      aria-label={`Pages of ${noun}`}
      className="flex min-h-9 flex-wrap items-center gap-x-4 gap-y-1 border-line border-t px-4 py-1.5 text-ink-3 text-meta"
    >
      <span className="mr-auto">
        {page.total === null ? `more than 10,000 ${noun}` : plural(page.total, one, noun)}
      </span>
      {page.previous !== undefined && <TextLink href={hrefOf(page.previous)}>{words.previous}</TextLink>}
      {page.next !== undefined && <TextLink href={hrefOf(page.next)}>{words.next}</TextLink>}
    </nav>
  );
}
