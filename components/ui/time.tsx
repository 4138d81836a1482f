'use client';

import { formatSpan, formatTime, isSameDay, type TimeStyle } from './format-time.ts';
import { usePreferences } from './preferences.tsx';
import { useNow } from './use-now.ts';

interface TimeProps {
  /** Epoch milliseconds. ISO strings of the API are parsed by its schema first. */
  readonly ms: number;
  readonly style?: TimeStyle | 'ago' | undefined;
  readonly className?: string | undefined;
}

/**
 * A moment, in the zone of the Local/UTC switch, with both zones on hover. `clock` and `second` say the day too unless it is
 * today, since a page may be read days later. `ago` counts up by itself; while the server
 * renders it stands as the clock time in UTC, since two clocks never agree.
 */
export function Time({ ms, style = 'clock', className }: TimeProps) {
  const { zone } = usePreferences();
  const nowMs = useNow(style === 'ago' ? 1000 : 60_000);
  const isServer = nowMs === undefined;
  const timeZone = zone === 'utc' || isServer ? 'UTC' : undefined;
  const text =
    style !== 'ago'
      ? formatTime(ms, withDay(style, isServer || isSameDay(ms, nowMs, timeZone)), timeZone)
      : isServer
        ? formatTime(ms, 'second', timeZone)
        : agoText(ms, nowMs);
  const iso = new Date(ms).toISOString();
  return (
    <time
      dateTime={iso}
      title={isServer ? iso : `${formatTime(ms, 'full', undefined)} · ${formatTime(ms, 'full', 'UTC')}`}
      className={className}
    >
      {text}
    </time>
  );
}

function withDay(style: TimeStyle, isToday: boolean): TimeStyle {
  if (isToday) return style;
  if (style === 'clock') return 'day clock';
  return style === 'second' ? 'moment' : style;
}

function agoText(ms: number, nowMs: number): string {
  return ms >= nowMs - 1000 ? 'now' : `${formatSpan(nowMs - ms)} ago`;
}
