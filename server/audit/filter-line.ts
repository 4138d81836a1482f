import { momentOf } from './filter-moment.ts';

/** Tokens of the filter line that compare a name, in the order in which completion offers them. */
export const FILTER_FIELDS = [
  'actor',
  'kind',
  'token',
  'did',
  'type',
  'tenant',
  'policy',
  'release',
  'request',
] as const;
export type FilterField = (typeof FILTER_FIELDS)[number];

/** One comparison. Text terms carry the field `text`: a word that must (or, negated, must not) begin a name. */
export interface FilterTerm {
  readonly field: FilterField | 'text';
  readonly value: string;
  readonly not: boolean;
}

export interface AuditFilter {
  readonly terms: readonly FilterTerm[];
  /** Inclusive. */
  readonly afterMs: number | null;
  /** Exclusive. */
  readonly beforeMs: number | null;
}

/** A filter line, or the first token in it that cannot be read; `position` counts characters from 0. */
export type FilterReading =
  | { readonly kind: 'filter'; readonly filter: AuditFilter }
  | { readonly kind: 'unreadable'; readonly position: number; readonly message: string };

interface Token {
  readonly position: number;
  readonly not: boolean;
  readonly field: string | null;
  readonly value: string;
  readonly closed: boolean;
}

const TIME_FIELDS = ['after', 'before'];
const MAX_TERMS = 20;

/**
 * Reads a typed filter line: `tenant:chat actor:"Ana Ruiz" after:13:30 -did:read message`. Terms of one field with
 * different values are alternatives; everything else must hold together. Times without a zone are UTC.
 */
export function readFilterLine(line: string, nowMs: number): FilterReading {
  const terms: FilterTerm[] = [];
  let afterMs: number | null = null;
  let beforeMs: number | null = null;
  for (const token of tokensOf(line)) {
    const fault = faultOf(token);
    if (fault !== null) return { kind: 'unreadable', position: token.position, message: fault };
    if (token.field !== null && TIME_FIELDS.includes(token.field)) {
      const moment = momentOf(token.value, nowMs);
      if (moment === null) {
        return { kind: 'unreadable', position: token.position, message: timeAdvice(token.value) };
      }
      if (token.field === 'after') afterMs = Math.max(afterMs ?? moment, moment);
      else beforeMs = Math.min(beforeMs ?? moment, moment);
      continue;
    }
    const field = FILTER_FIELDS.find((known) => known === token.field) ?? 'text';
    terms.push({ field, value: token.value, not: token.not });
    if (terms.length > MAX_TERMS) {
      return { kind: 'unreadable', position: token.position, message: `A filter has at most ${MAX_TERMS} terms.` };
    }
  }
  return { kind: 'filter', filter: { terms, afterMs, beforeMs } };
}

function faultOf({ field, value, not, closed }: Token): string | null {
  if (!closed) return 'The quotation mark is not closed.';
  if (value === '') return field === null ? 'An empty term matches nothing.' : `${field}: needs a value.`;
  if (field === null) return null;
  if (TIME_FIELDS.includes(field)) return not ? `${field}: cannot be negated.` : null;
  if (!FILTER_FIELDS.some((known) => known === field)) {
    return `${field}: is not a filter. Filters are ${[...FILTER_FIELDS, ...TIME_FIELDS].join(', ')}; quote the word to search for it.`;
  }
  if (field === 'release' && !/^r?[1-9]\d{0,8}$/.test(value)) return 'release: takes a number, such as release:42.';
  return null;
}

function timeAdvice(value: string): string {
  return `"${value}" is not a time. Write 13:30, 2026-11-30, 2026-11-30T13:30 (UTC) or how long ago: 15m, 2h, 7d.`;
}

/** Cuts a line at white space outside quotes. A colon makes a field only when a bare word stands before it. */
function* tokensOf(line: string): Generator<Token> {
  const pattern = /(-?)(?:([A-Za-z]+):)?(?:"([^"]*)("?)|(\S*))/gy;
  let position = 0;
  for (;;) {
    position += line.slice(position).search(/\S|$/);
    if (position >= line.length) return;
    pattern.lastIndex = position;
    const match = pattern.exec(line);
    if (match === null) return;
    const [whole, minus, field, quoted, closing, bare] = match;
    yield {
      position,
      not: minus === '-',
      field: field === undefined ? null : field.toLowerCase(),
      value: (quoted ?? bare ?? '').trim(),
      closed: quoted === undefined || closing === '"',
    };
    position += whole.length;
  }
}
