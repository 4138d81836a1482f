'use client';

import { useEffect, useState } from 'react';
import { type ListPage, rowsBefore } from './list-place.ts';
import { useUrlState, withParams } from './use-url-state.ts';

/** What a page that was on screen tells of one beside it. */
interface Mark {
  readonly from?: number;
  readonly to?: number;
  /** The list's length then: where it is another now, rows came or went, and nothing is known any more. */
  readonly total: number;
}

/**
 * A page of a list with the place of its rows, where pages were turned up to it from one whose place is known. Cursors do not
 * count, so a link to a page in the middle says nothing of it.
 */
export function usePlacedPage<Page extends ListPage>(page: Page, isTurning: boolean): Page {
  const { search } = useUrlState();
  const [marks] = useState(() => new Map<string, Mark>());
  const here = `${search}`;
  const before = isTurning ? undefined : (rowsBefore(page) ?? placeBy(marks.get(here), page));
  useEffect(() => {
    if (isTurning || before === undefined || page.total === null) return;
    const params = new URLSearchParams(here);
    const mark = (cursor: string | undefined, place: Omit<Mark, 'total'>) => {
      if (cursor !== undefined && page.total !== null)
        marks.set(`${withParams(params, { cursor })}`, { ...place, total: page.total });
    };
    mark(page.next, { from: before + page.items.length });
    mark(page.previous, { to: before });
  }, [page, before, isTurning, here, marks]);
  return { ...page, before };
}

function placeBy(mark: Mark | undefined, page: ListPage): number | undefined {
  if (mark === undefined || mark.total !== page.total) return undefined;
  if (mark.from !== undefined) return mark.from;
  return mark.to === undefined ? undefined : Math.max(0, mark.to - page.items.length);
}
