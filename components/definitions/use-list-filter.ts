'use client';

import type { FilterKey } from '#components/ui/filter-completions.ts';
import { parseFilter } from '#components/ui/parse-filter.ts';
import { useUrlState } from '#components/ui/use-url-state.ts';

export interface ListFilter {
  /** The line as it stands in the URL. */
  readonly text: string;
  /** Values by key. */
  readonly values: Readonly<Record<string, string>>;
  /** Free text, as one search. */
  readonly words: string | undefined;
  readonly cursor: string | undefined;
  /** Why the line cannot be answered by this list. */
  readonly error: string | undefined;
  readonly commit: (text: string) => void;
}

/** The filter line of a list, kept in the URL: committing pushes history and goes back to the first page. */
export function useListFilter(keys: readonly FilterKey[]): ListFilter {
  const { search, set } = useUrlState();
  const text = search.get('filter') ?? '';
  // A new filter starts at the first page.
  const commit = (next: string) => set({ cursor: null, filter: next === '' ? null : next });
  return {
    text,
    ...readFilter(text, keys),
    cursor: search.get('cursor') ?? undefined,
    commit,
  };
}

/** Reads a line that knows `keys` with one value each and free text. What it cannot answer is an error, never ignored. */
export function readFilter(text: string, keys: readonly FilterKey[]): Pick<ListFilter, 'values' | 'words' | 'error'> {
  const values: Record<string, string> = {};
  const words: string[] = [];
  let error: string | undefined;
  for (const token of parseFilter(text)) {
    const known = keys.find(({ key }) => key === token.key);
    if (token.isNegated) error = 'This list has no negation.';
    else if (token.key === undefined) words.push(token.value);
    else if (known === undefined && keys.length === 0) error = 'This list filters by free text.';
    else if (known === undefined)
      error = `This list filters by ${keys.map(({ key }) => `${key}:`).join(', ')} and free text.`;
    else if (known.values !== undefined && !known.values.includes(token.value))
      error = `${known.key}: is one of ${known.values.join(', ')}.`;
    else if (values[known.key] !== undefined) error = `${known.key}: stands once in this list.`;
    else values[known.key] = token.value;
  }
  return { values, words: words.length === 0 ? undefined : words.join(' '), error };
}
