import { formatTime } from '#components/ui/format-time.ts';

/** The time that a chart covers. */
export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface Tick {
  readonly atMs: number;
  readonly label: string;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Steps that a reader counts in. */
const STEPS = [
  10_000,
  30_000,
  MINUTE,
  2 * MINUTE,
  5 * MINUTE,
  10 * MINUTE,
  15 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  3 * HOUR,
  6 * HOUR,
  12 * HOUR,
  DAY,
  2 * DAY,
  7 * DAY,
  14 * DAY,
] as const;

/** Round moments inside a span, at most `most` of them, labelled in the reader's zone. */
export function timeTicks({ fromMs, toMs }: Span, most: number, zone: 'local' | 'utc'): readonly Tick[] {
  const step = STEPS.find((each) => (toMs - fromMs) / each <= most) ?? STEPS[STEPS.length - 1] ?? DAY;
  const style = step >= DAY ? 'date' : step < MINUTE ? 'second' : 'clock';
  const timeZone = zone === 'utc' ? 'UTC' : undefined;
  // Round in the zone of the reader: midnight of a day is its own.
  const shiftMs = zone === 'utc' ? 0 : -new Date(fromMs).getTimezoneOffset() * MINUTE;
  const ticks: Tick[] = [];
  for (let atMs = Math.ceil((fromMs + shiftMs) / step) * step - shiftMs; atMs <= toMs; atMs += step)
    ticks.push({ atMs, label: formatTime(atMs, style, timeZone) });
  return ticks;
}

/** Where a moment lies, from 0 to 1. */
export const shareOf = (atMs: number, { fromMs, toMs }: Span): number =>
  toMs === fromMs ? 0 : (atMs - fromMs) / (toMs - fromMs);
