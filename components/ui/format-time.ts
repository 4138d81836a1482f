/** `moment` 12 Mar, 14:02:10 · `day clock` 12 Mar, 14:02 · `clock` 14:02 · `second` 14:02:10 · `ms` 14:02:10.123 · `date` 12 Mar · `full` 12 Mar 2026, 14:02:10 UTC. */
export type TimeStyle = 'moment' | 'day clock' | 'clock' | 'second' | 'ms' | 'date' | 'full';

const OPTIONS: Readonly<Record<TimeStyle, Intl.DateTimeFormatOptions>> = {
  moment: { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', second: '2-digit' },
  'day clock': { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
  clock: { hour: '2-digit', minute: '2-digit' },
  second: { hour: '2-digit', minute: '2-digit', second: '2-digit' },
  ms: { hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3 },
  date: { day: 'numeric', month: 'short' },
  full: {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'short',
  },
};

const formats = new Map<string, Intl.DateTimeFormat>();

/** A moment in words. `zone` undefined is the reader's own. One locale, so that pages read the same for everyone. */
export function formatTime(ms: number, style: TimeStyle, zone: string | undefined): string {
  const key = `${style} ${zone ?? ''}`;
  let format = formats.get(key);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-GB', {
      ...OPTIONS[style],
      hourCycle: 'h23',
      ...(zone === undefined ? {} : { timeZone: zone }),
    });
    formats.set(key, format);
  }
  return format.format(ms);
}

/** Whether both moments lie on one day of that zone. */
export function isSameDay(ms: number, otherMs: number, zone: string | undefined): boolean {
  return formatTime(ms, 'date', zone) === formatTime(otherMs, 'date', zone);
}

/** A stretch of time in its largest unit: `40 s`, `4 min`, `2 h`, `12 d`. */
export function formatSpan(spanMs: number): string {
  const seconds = Math.max(0, Math.round(spanMs / 1000));
  if (seconds < 60) return `${seconds}\u00a0s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}\u00a0min`;
  if (seconds < 48 * 3600) return `${Math.floor(seconds / 3600)}\u00a0h`;
  return `${Math.floor(seconds / 86_400)}\u00a0d`;
}

/** Milliseconds of latency with a sensible number of digits: `0.42 ms`, `31 ms`, `1.9 s`, `5 min`. */
export function formatMs(valueMs: number): string {
  if (valueMs >= 120_000) return formatSpan(valueMs);
  if (valueMs >= 10_000) return `${Math.round(valueMs / 1000)}\u00a0s`;
  if (valueMs >= 1000) return `${(valueMs / 1000).toFixed(1)}\u00a0s`;
  if (valueMs >= 10) return `${Math.round(valueMs)}\u00a0ms`;
  return `${Number(valueMs.toFixed(valueMs >= 1 ? 1 : 2))}\u00a0ms`;
}
