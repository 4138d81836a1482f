/** A count with thousands separators: `1,400,000`. */
export function countInWords(count: number): string {
  return count.toLocaleString('en-GB');
}

/** Bytes as people say them: `64 KB` for round numbers of 1,024, else `65,537 bytes`. */
export function bytesInWords(bytes: number): string {
  if (bytes >= 1_048_576 && bytes % 1_048_576 === 0) return `${countInWords(bytes / 1_048_576)} MB`;
  if (bytes >= 1_024 && bytes % 1_024 === 0) return `${countInWords(bytes / 1_024)} KB`;
  return bytes === 1 ? '1 byte' : `${countInWords(bytes)} bytes`;
}

/** `10 seconds`, `1 hour`: in the largest unit that gives a whole number. */
export function timeInWords(ms: number): string {
  for (const [unitMs, unit] of UNITS) {
    if (ms % unitMs === 0) return `${countInWords(ms / unitMs)} ${unit}${ms === unitMs ? '' : 's'}`;
  }
  return `${countInWords(ms)} ms`;
}

const UNITS = [
  [3_600_000, 'hour'],
  [60_000, 'minute'],
  [1_000, 'second'],
] as const;

/** `a`, `a and b`, `a, b and c`; after `most` of them *and n more*. */
export function listInWords(items: readonly string[], most = 6, word: 'and' | 'or' = 'and'): string {
  const shown = items.length > most ? [...items.slice(0, most - 1), `${items.length - most + 1} more`] : [...items];
  const last = shown.pop();
  if (last === undefined) return 'nothing';
  return shown.length === 0 ? last : `${shown.join(', ')} ${word} ${last}`;
}
