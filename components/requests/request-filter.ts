import type { Query } from '#components/api-client.ts';
import { readFilter } from '#components/definitions/use-list-filter.ts';
import type { FilterKey } from '#components/ui/filter-completions.ts';
import { quoteValue } from '#components/ui/parse-filter.ts';
import type { UrlChange } from '#components/ui/use-url-state.ts';
import { ERRORS, OUTCOMES } from '#gateway/contract/errors.ts';
import { OPERATIONS } from '#gateway/contract/telemetry.ts';
import { readDuration } from './duration-text.ts';

/** What the list of requests is filtered by, beside its time. Each is a parameter of the URL with the same name. */
export const REQUEST_KEYS: readonly FilterKey[] = [
  { key: 'tenant', about: 'whose traffic' },
  { key: 'outcome', about: 'how it ended', values: OUTCOMES },
  { key: 'code', about: 'the refusal’s code', values: Object.keys(ERRORS) },
  { key: 'operation', about: 'what was asked', values: OPERATIONS },
  { key: 'type', about: 'object or edge type' },
  { key: 'principal', about: 'who called' },
  { key: 'release', about: 'which release decided' },
  { key: 'gateway', about: 'which gateway answered' },
  { key: 'slower', about: 'took at least, e.g. 20ms' },
  { key: 'faster', about: 'took less than, e.g. 1s' },
];

/** The filter line that the URL's parameters say. */
export function lineOf(search: URLSearchParams): string {
  return REQUEST_KEYS.flatMap(({ key }) => {
    const value = search.get(key);
    return value === null ? [] : [`${key}:${quoteValue(value)}`];
  }).join(' ');
}

/** What a committed line means: parameters to set, the page of a pasted request id, or why it cannot be read. */
export type CommittedLine =
  | { readonly kind: 'change'; readonly change: UrlChange }
  | { readonly kind: 'request'; readonly id: string }
  | { readonly kind: 'fault'; readonly message: string };

/** Reads a committed line. */
export function readLine(text: string): CommittedLine {
  const { values, words, error } = readFilter(text, REQUEST_KEYS);
  if (error !== undefined) return { kind: 'fault', message: error };
  if (words !== undefined) {
    const isAlone = Object.keys(values).length === 0 && !words.includes(' ');
    if (isAlone && /^[\w.-]{8,100}$/.test(words)) return { kind: 'request', id: words };
    return { kind: 'fault', message: `“${words}” has no key. Write principal:${words} or type:${words}.` };
  }
  const fault = faultOf(values);
  if (fault !== undefined) return { kind: 'fault', message: fault };
  const change = Object.fromEntries(REQUEST_KEYS.map(({ key }) => [key, values[key] ?? null]));
  return { kind: 'change', change: { ...change, cursor: null } };
}

/** The server's question for the URL's parameters. One that cannot be read is left to the server, which names it. */
export function filterQuery(search: URLSearchParams): Query {
  const value = (key: string) => search.get(key) ?? undefined;
  return {
    tenant: value('tenant'),
    outcome: value('outcome'),
    code: value('code'),
    operation: value('operation'),
    type: value('type'),
    principal: value('principal'),
    gateway: value('gateway'),
    release: value('release')?.replace(/^r(?=\d)/, ''),
    fromUs: durationOf(value('slower')),
    toUs: durationOf(value('faster')),
  };
}

function durationOf(text: string | undefined): number | string | undefined {
  return text === undefined ? undefined : (readDuration(text) ?? text);
}

function faultOf(values: Readonly<Record<string, string>>): string | undefined {
  for (const key of ['slower', 'faster']) {
    const text = values[key];
    if (text !== undefined && readDuration(text) === undefined) return `${key}: takes a duration such as 20ms or 1.5s.`;
  }
  if (values.release !== undefined && !/^r?[1-9]\d{0,8}$/.test(values.release))
    return 'release: takes a number, such as release:42.';
  return undefined;
}
