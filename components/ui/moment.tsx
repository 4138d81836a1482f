'use client';

import { isSameDay } from './format-time.ts';
import { usePreferences } from './preferences.tsx';
import { Time } from './time.tsx';
import { useNow } from './use-now.ts';

/** A moment of a log, to the millisecond. The day stands before it unless it is today. */
export function Moment({ ms }: { readonly ms: number }) {
  const { zone } = usePreferences();
  const nowMs = useNow(60_000);
  const timeZone = zone === 'utc' ? 'UTC' : undefined;
  const isToday = nowMs !== undefined && isSameDay(ms, nowMs, timeZone);
  return (
    <span className="whitespace-nowrap">
      {!isToday && (
        <span className="mr-1.5 text-ink-3">
          <Time ms={ms} style="date" />
        </span>
      )}
      <Time ms={ms} style="ms" />
    </span>
  );
}
