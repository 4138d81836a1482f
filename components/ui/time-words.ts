/** `10 seconds`, `1 hour`: in the largest unit that gives a whole number. */
export function timeWords(ms: number): string {
  for (const [unitMs, unit] of UNITS) {
    if (ms % unitMs === 0) return `${ms / unitMs} ${unit}${ms === unitMs ? '' : 's'}`;
  }
  return `${ms}\u00a0ms`;
}

const UNITS = [
  [3_600_000, 'hour'],
  [60_000, 'minute'],
  [1_000, 'second'],
] as const;
