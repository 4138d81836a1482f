import { plural } from './format-number.ts';

/** What a page of a list says of where it stands in it. */
export interface ListPage {
  readonly items: readonly unknown[];
  readonly next?: string | undefined;
  readonly previous?: string | undefined;
  readonly total: number | null;
}

export interface ListPlace {
  /** `aria-rowcount`: the rows of the whole list with the head, -1 where nobody counted them. */
  readonly rowCount: number;
  /** Rows of the list before the first one here; undefined on a page between, since cursors do not count. */
  readonly before: number | undefined;
}

/**
 * Where rows stand in their list. Known on the first page, on the last one of a counted list, and for a list that is here
 * whole; a place that is not known is not made up.
 */
export function listPlace(shown: number, page: ListPage | undefined): ListPlace {
  if (page === undefined) return { rowCount: shown + 1, before: 0 };
  const rowCount = page.total === null ? -1 : page.total + 1;
  // Rows that stand for several, or wait to be shown, leave no place to count from.
  if (shown !== page.items.length) return { rowCount: -1, before: undefined };
  if (page.previous === undefined) return { rowCount, before: 0 };
  const isLast = page.next === undefined && page.total !== null;
  return { rowCount, before: isLast ? page.total - shown : undefined };
}

/** How many rows a list has: *131 changes*, *No changes*, *more than 10,000 changes*. */
export function countWords(total: number | null, noun: string, one = noun.replace(/s$/, '')): string {
  if (total === 0) return `No ${noun}`;
  return total === null ? `more than 10,000 ${noun}` : plural(total, one, noun);
}
