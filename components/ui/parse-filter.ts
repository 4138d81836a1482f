/** One token of a filter line: `key:value`, `-key:value`, or a word of free text (key undefined). */
export interface FilterToken {
  readonly key: string | undefined;
  readonly value: string;
  readonly isNegated: boolean;
  /** Where it lies in the text, for completion and for marking. */
  readonly from: number;
  readonly to: number;
}

// A key, its colon, and a value that is quoted when it has spaces (or nothing yet); else a bare or quoted word.
const TOKEN = /(-?)(?:([a-z]+):("(?:[^"\\]|\\.)*"?|[^\s"]*)|("(?:[^"\\]|\\.)*"?|[^\s"]+))/gi;

/** Reads a filter line for display and completion. The server parses it again and names what it cannot read. */
export function parseFilter(text: string): readonly FilterToken[] {
  return [...text.matchAll(TOKEN)].map((match) => {
    const [whole, sign, key, value, word] = match;
    return {
      key: key?.toLowerCase(),
      value: unquote(value ?? word ?? ''),
      isNegated: sign === '-',
      from: match.index,
      to: match.index + whole.length,
    };
  });
}

/** `text` without the token. */
export function withoutToken(text: string, token: FilterToken): string {
  return `${text.slice(0, token.from)}${text.slice(token.to)}`.replace(/\s+/g, ' ').trim();
}

/** A value as it is written in a filter line. */
export const quoteValue = (value: string): string =>
  /[\s"]/.test(value) || value === '' ? `"${value.replace(/(["\\])/g, '\\$1')}"` : value;

function unquote(raw: string): string {
  if (!raw.startsWith('"')) return raw;
  const end = raw.length > 1 && raw.endsWith('"') ? -1 : undefined;
  return raw.slice(1, end).replace(/\\(.)/g, '$1');
}
