import { formatCount, plural } from './format-number.ts';

/** What a page of a list says of where it stands in it. */
export interface ListPage {
  readonly items: readonly unknown[];
  readonly next?: string | undefined;
  readonly previous?: string | undefined;
  readonly total: number | null;
  /** Rows of the list before the first one here, where somebody turned the pages up to it. */
  readonly before?: number | undefined;
}

export interface ListPlace {
  /** `aria-rowcount`: the rows of the whole list with the head, -1 where nobody counted them. */
  readonly rowCount: number;
  /** Rows of the list before the first one here; undefined where nobody knows, since cursors do not count. */
  readonly before: number | undefined;
}

/**
 * Where rows stand in their list. Known on the first page, on the last one of a counted list, on one that was turned to, and
 * for a list that is here whole; a place that is not known is not made up. Without places there is no count either: a screen
 * reader would number the rows of the page by it from one.
 */
export function listPlace(shown: number, page: ListPage | undefined): ListPlace {
  if (page === undefined) return { rowCount: shown + 1, before: 0 };
  const before = rowsBefore(page);
  // Rows that stand for several, or wait to be shown, leave no place to count from.
  if (shown !== page.items.length || before === undefined) return { rowCount: -1, before: undefined };
  return { rowCount: page.total === null ? -1 : page.total + 1, before };
}

/** Rows of the list before a page's first one, where the page alone or who turned to it knows. */
export function rowsBefore(page: ListPage): number | undefined {
  if (page.previous === undefined) return 0;
  if (page.next === undefined && page.total !== null) return page.total - page.items.length;
  return page.before;
}

/** How many rows a list has: *131 changes*, *No changes*, *more than 10,000 changes*. */
export function countWords(total: number | null, noun: string, one = noun.replace(/s$/, '')): string {
  if (total === 0) return `No ${noun}`;
  return total === null ? `more than 10,000 ${noun}` : plural(total, one, noun);
}

/** What is said when a page was turned: *Page turned: rows 51 to 100 of 131*, or less where less is known. */
export function turnedWords(page: ListPage): string {
  const shown = page.items.length;
  const before = rowsBefore(page);
  const of = page.total === null ? '' : ` of ${formatCount(page.total)}`;
  if (before === undefined || shown === 0) return `Page turned: ${plural(shown, 'row')}${of}`;
  return `Page turned: rows ${formatCount(before + 1)} to ${formatCount(before + shown)}${of}`;
}
