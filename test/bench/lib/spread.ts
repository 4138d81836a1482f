/** A figure over several rounds: the median, and the second lowest and second highest. */
export interface Spread {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

/** Rounds without a figure (NaN) are left out. */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.filter(Number.isFinite).toSorted((a, b) => a - b);
  const at = (index: number) => sorted[Math.max(0, Math.min(sorted.length - 1, index))] ?? Number.NaN;
  const few = sorted.length < 4;
  return {
    median: at(Math.floor((sorted.length - 1) / 2)),
    low: at(few ? 0 : 1),
    high: at(few ? sorted.length - 1 : sorted.length - 2),
  };
}

/** How far apart low and high are, of the median. */
export const widthOf = ({ median, low, high }: Spread): number => (high - low) / median;

export function showSpread({ median, low, high }: Spread, digits = 1): string {
  if (Number.isNaN(median)) return '–';
  return `${median.toFixed(digits)} [${low.toFixed(digits)}–${high.toFixed(digits)}]`;
}

/** Of each round the one by the other: what both met alike cancels out. */
export function ratios(values: readonly number[], yardstick: readonly number[]): readonly number[] {
  return values.map((value, round) => value / (yardstick[round] ?? Number.NaN));
}
