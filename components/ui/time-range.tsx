'use client';

import { useState } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Field } from './field.tsx';
import { formatSpan, formatTime } from './format-time.ts';
import { Menu } from './menu.tsx';
import { usePreferences } from './preferences.tsx';
import {
  localDateTimeText,
  parseLocalDateTime,
  RANGE_MS,
  RANGE_WORDS,
  type RelativeRange,
  resolveTimeRange,
  type TimeRangeValue,
} from './range-value.ts';
import { CHIP } from './scope-bar.tsx';
import { TextInput } from './text-input.tsx';
import { useNow } from './use-now.ts';

interface TimeRangeProps {
  readonly value: TimeRangeValue;
  readonly onChange: (value: TimeRangeValue) => void;
}

/** The chip that chooses the time a page looks at: up to now, or between two moments. `readTimeRange` keeps it in the URL. */
export function TimeRange({ value, onChange }: TimeRangeProps) {
  const [isCustom, setCustom] = useState(false);
  const { zone } = usePreferences();
  const presets = (Object.keys(RANGE_MS) as RelativeRange[]).map((range) => ({
    label: `Last ${RANGE_WORDS[range]}`,
    checked: value.kind === 'relative' && value.range === range,
    onSelect: () => onChange({ kind: 'relative', range }),
  }));
  return (
    <>
      <Menu
        align="start"
        trigger={
          <button type="button" aria-label={`Time: ${words(value, zone)}`} className={CHIP}>
            <b className="font-semibold">{words(value, zone)}</b>
            <span aria-hidden className="text-ink-3">
              ▾
            </span>
          </button>
        }
        items={[...presets, 'line', { label: 'Between two moments…', onSelect: () => setCustom(true) }]}
      />
      {isCustom && (
        <CustomRange
          value={value}
          onClose={() => setCustom(false)}
          onChange={(next) => {
            setCustom(false);
            onChange(next);
          }}
        />
      )}
    </>
  );
}

function words(value: TimeRangeValue, zone: 'local' | 'utc'): string {
  if (value.kind === 'relative') return `Last ${RANGE_WORDS[value.range]}`;
  const timeZone = zone === 'utc' ? 'UTC' : undefined;
  const isLong = value.toMs - value.fromMs >= RANGE_MS['24h'];
  const part = (ms: number) =>
    `${isLong ? `${formatTime(ms, 'date', timeZone)} ` : ''}${formatTime(ms, 'clock', timeZone)}`;
  return `${part(value.fromMs)} – ${part(value.toMs)} (${formatSpan(value.toMs - value.fromMs)})`;
}

function CustomRange({ value, onChange, onClose }: TimeRangeProps & { readonly onClose: () => void }) {
  const { zone } = usePreferences();
  const nowMs = useNow(60_000) ?? 0;
  const start = resolveTimeRange(value, nowMs);
  const [from, setFrom] = useState(() => localDateTimeText(start.fromMs, zone));
  const [to, setTo] = useState(() => localDateTimeText(start.toMs, zone));
  const fromMs = parseLocalDateTime(from, zone);
  const toMs = parseLocalDateTime(to, zone);
  const isUsable = fromMs !== undefined && toMs !== undefined && fromMs < toMs;
  const inZone = zone === 'utc' ? 'In UTC.' : 'In your local time.';
  return (
    <Dialog
      open
      onClose={onClose}
      title="Between two moments"
      foot={
        <Button
          look="primary"
          disabledWhy={isUsable ? undefined : 'From must be before To.'}
          onClick={() => {
            if (isUsable) onChange({ kind: 'absolute', fromMs, toMs });
          }}
        >
          Show this time
        </Button>
      }
    >
      <div className="grid gap-4 tablet:grid-cols-2">
        <Field label="From" hint={inZone} required>
          <TextInput type="datetime-local" value={from} onChange={(event) => setFrom(event.target.value)} />
        </Field>
        <Field label="To" hint={inZone} required>
          <TextInput type="datetime-local" value={to} onChange={(event) => setTo(event.target.value)} />
        </Field>
      </div>
    </Dialog>
  );
}
