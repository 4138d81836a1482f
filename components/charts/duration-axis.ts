import { formatMs } from '#components/ui/format-time.ts';

export interface DurationAxis {
  readonly fromUs: number;
  readonly toUs: number;
  readonly ticks: readonly number[];
}

const DEFAULT: DurationAxis = { fromUs: 1_000, toUs: 100_000, ticks: [1_000, 10_000, 100_000] };

/**
 * The axis of durations that holds all values. Logarithmic: from a power of ten to one, ticked there, and at 2 and 5
 * between them where there are few. Linear: from 0 to a round number above the largest.
 */
export function durationAxis(valuesUs: readonly number[], scale: 'log' | 'linear'): DurationAxis {
  const known = valuesUs.filter((value) => value > 0);
  if (known.length === 0) return scale === 'log' ? DEFAULT : { fromUs: 0, toUs: 100_000, ticks: [0, 50_000, 100_000] };
  const highest = known.reduce((most, value) => Math.max(most, value), 0);
  if (scale === 'linear') return linearAxis(highest);
  const lowest = known.reduce((least, value) => Math.min(least, value), highest);
  const from = Math.floor(Math.log10(lowest));
  const to = Math.max(from + 1, Math.ceil(Math.log10(highest)));
  const decades = Array.from({ length: to - from + 1 }, (_, step) => 10 ** (from + step));
  const ticks =
    to - from > 2 ? decades : decades.flatMap((ten, at) => (at < to - from ? [ten, 2 * ten, 5 * ten] : ten));
  return { fromUs: 10 ** from, toUs: 10 ** to, ticks };
}

function linearAxis(highest: number): DurationAxis {
  const rough = highest / 4;
  const ten = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 2.5, 5, 10].find((each) => each * ten >= rough) ?? 10) * ten;
  const count = Math.ceil(highest / step);
  return { fromUs: 0, toUs: count * step, ticks: Array.from({ length: count + 1 }, (_, at) => at * step) };
}

/** Microseconds as a duration in words. */
export const formatUs = (us: number): string =>
  us < 1_000 && us > 0 ? `${Math.round(us)}\u00a0µs` : formatMs(us / 1_000);

/** A tick in words: *1 s*, not *1.0 s*. */
export const tickUs = (us: number): string => formatUs(us).replace(/\.0(?=\s)/, '');

/** A percentile, or why there is none. */
export const formatUsOr = (us: number | null, none = '—'): string => (us === null ? none : formatUs(us));
