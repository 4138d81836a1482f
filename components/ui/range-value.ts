/** Relative ranges, and how far back each reaches. */
export const RANGE_MS = {
  '15m': 15 * 60_000,
  '1h': 3_600_000,
  '6h': 6 * 3_600_000,
  '24h': 24 * 3_600_000,
  '7d': 7 * 86_400_000,
  '30d': 30 * 86_400_000,
} as const;
export type RelativeRange = keyof typeof RANGE_MS;

export const RANGE_WORDS: Readonly<Record<RelativeRange, string>> = {
  '15m': '15 min',
  '1h': '1 h',
  '6h': '6 h',
  '24h': '24 h',
  '7d': '7 d',
  '30d': '30 d',
};

/** What a page looks at: up to now, or between two moments. */
export type TimeRangeValue =
  | { readonly kind: 'relative'; readonly range: RelativeRange }
  | { readonly kind: 'absolute'; readonly fromMs: number; readonly toMs: number };

/** Reads `?range=1h` or `?from=…&to=…` (epoch ms). What cannot be read is `fallback`. */
export function readTimeRange(
  search: { get: (name: string) => string | null },
  fallback: RelativeRange = '1h',
): TimeRangeValue {
  const fromMs = Number(search.get('from') ?? Number.NaN);
  const toMs = Number(search.get('to') ?? Number.NaN);
  if (Number.isSafeInteger(fromMs) && Number.isSafeInteger(toMs) && 0 <= fromMs && fromMs < toMs)
    return { kind: 'absolute', fromMs, toMs };
  const range = search.get('range');
  return { kind: 'relative', range: isRelativeRange(range) ? range : fallback };
}

/** The URL parameters of a value; `null` takes one away. */
export function timeRangeParams(value: TimeRangeValue): Readonly<Record<'range' | 'from' | 'to', string | null>> {
  if (value.kind === 'relative') return { range: value.range, from: null, to: null };
  return { range: null, from: String(value.fromMs), to: String(value.toMs) };
}

/** The two moments it means now. */
export function resolveTimeRange(
  value: TimeRangeValue,
  nowMs: number,
): { readonly fromMs: number; readonly toMs: number } {
  if (value.kind === 'absolute') return { fromMs: value.fromMs, toMs: value.toMs };
  return { fromMs: nowMs - RANGE_MS[value.range], toMs: nowMs };
}

/** Half a width earlier (−1) or later (+1), never past now. For `[` and `]`. */
export function shiftTimeRange(value: TimeRangeValue, direction: -1 | 1, nowMs: number): TimeRangeValue {
  const { fromMs, toMs } = resolveTimeRange(value, nowMs);
  const width = toMs - fromMs;
  const to = Math.min(nowMs, toMs + (direction * width) / 2);
  return { kind: 'absolute', fromMs: Math.round(to - width), toMs: Math.round(to) };
}

/** Twice as wide or half as wide around the middle, never past now nor under a minute. For `−` and `=`. */
export function zoomTimeRange(value: TimeRangeValue, factor: 2 | 0.5, nowMs: number): TimeRangeValue {
  const { fromMs, toMs } = resolveTimeRange(value, nowMs);
  const width = Math.max(60_000, (toMs - fromMs) * factor);
  const to = Math.min(nowMs, (fromMs + toMs) / 2 + width / 2);
  return { kind: 'absolute', fromMs: Math.round(to - width), toMs: Math.round(to) };
}

/** Epoch ms from the text of a datetime-local control, in UTC or in the reader's own zone; undefined when unreadable. */
export function parseLocalDateTime(text: string, zone: 'local' | 'utc'): number | undefined {
  const ms = Date.parse(zone === 'utc' ? `${text}Z` : text);
  return Number.isNaN(ms) ? undefined : ms;
}

/** The text a datetime-local control shows for a moment. */
export function localDateTimeText(ms: number, zone: 'local' | 'utc'): string {
  const offsetMs = zone === 'utc' ? 0 : new Date(ms).getTimezoneOffset() * 60_000;
  return new Date(ms - offsetMs).toISOString().slice(0, 16);
}

function isRelativeRange(text: string | null): text is RelativeRange {
  return text !== null && Object.hasOwn(RANGE_MS, text);
}
