import { parseFilter, quoteValue } from './parse-filter.ts';

/** A key that a filter line knows. */
export interface FilterKey {
  readonly key: string;
  /** What it filters, in a few words: "who did it". */
  readonly about: string;
  /** Known values; left out where any text is possible. */
  readonly values?: readonly string[] | undefined;
}

export interface Completion {
  /** What stands in the list. */
  readonly label: string;
  readonly about: string;
  /** The whole line after it was chosen, and where the caret goes. */
  readonly text: string;
  readonly caret: number;
}

const AT_MOST = 8;

/** What the token at the caret may become: keys while a key is typed, values after its colon. Values, not counts. */
export function completionsAt(text: string, caret: number, keys: readonly FilterKey[]): readonly Completion[] {
  const token = parseFilter(text).find(({ from, to }) => from < caret && caret <= to);
  const typed = token === undefined ? '' : text.slice(token.from, caret);
  const sign = typed.startsWith('-') ? '-' : '';
  const bare = typed.slice(sign.length).toLowerCase();
  const place = { text, from: token?.from ?? caret, to: token?.to ?? caret };
  const colon = bare.indexOf(':');
  if (colon === -1) {
    return keys
      .filter(({ key }) => key.startsWith(bare))
      .slice(0, AT_MOST)
      .map(({ key, about }) => complete(place, `${sign}${key}:`, { about, ends: false }));
  }
  const known = keys.find(({ key }) => key === bare.slice(0, colon));
  const start = bare.slice(colon + 1).replace(/^"/, '');
  return (known?.values ?? [])
    .filter((value) => value.toLowerCase().includes(start))
    .slice(0, AT_MOST)
    .map((value) => complete(place, `${sign}${known?.key}:${quoteValue(value)}`, { about: '', ends: true }));
}

function complete(
  place: { text: string; from: number; to: number },
  put: string,
  { about, ends }: { about: string; ends: boolean },
): Completion {
  const head = `${place.text.slice(0, place.from)}${put}${ends ? ' ' : ''}`;
  return { label: put, about, text: `${head}${place.text.slice(place.to).replace(/^\s+/, '')}`, caret: head.length };
}
