'use client';

import { OUTCOME_OPTIONS } from '#components/charts/outcome-words.ts';
import { useShell } from '#components/shell/queries.ts';
import { CopyButton } from '#components/ui/copy-button.tsx';
import {
  RANGE_MS,
  type RelativeRange,
  resolveTimeRange,
  shiftTimeRange,
  type TimeRangeValue,
  timeRangeParams,
  zoomTimeRange,
} from '#components/ui/range-value.ts';
import { CHIP, ScopeBar, ScopeSelect, ScopeToggle } from '#components/ui/scope-bar.tsx';
import { useShortcuts } from '#components/ui/shortcuts.tsx';
import { TimeRange } from '#components/ui/time-range.tsx';
import type { UrlChange } from '#components/ui/use-url-state.ts';
import { OPERATIONS } from '#gateway/contract/telemetry.ts';
import { type LatencyScope, liveUrl, pinnedUrl } from './latency-scope.ts';

interface ScopeControlsProps {
  readonly scope: LatencyScope;
  readonly set: (change: UrlChange) => void;
  /** The two moments on screen, for *Copy link*; undefined while nothing is. */
  readonly span: { readonly fromMs: number; readonly toMs: number } | undefined;
  /** Somebody points at the charts: they wait. */
  readonly isHeld: boolean;
  /** Choices before the common ones, such as the tenant. */
  readonly children?: React.ReactNode;
}

const OPERATION_OPTIONS = ['all', ...OPERATIONS].map((value) => ({ value, label: value }));

/** The line that says what the page shows, all of it in the URL: `[` `]` move in time, `−` `=` zoom, `t l` live, `t a` pins. */
export function ScopeControls({ scope, set, span, isHeld, children }: ScopeControlsProps) {
  const gateways = useShell().data?.gateways ?? [];
  const names = gateways.map(({ name }) => name);
  const known = scope.gateway === 'all' || names.includes(scope.gateway) ? names : [...names, scope.gateway];
  const setOr = (name: string, usual: string) => (value: string) => set({ [name]: value === usual ? null : value });
  const time = useTimeActs({ scope, set, span });
  return (
    <ScopeBar label="What is shown">
      {children}
      <ScopeSelect
        label="Operation"
        value={scope.operation}
        options={OPERATION_OPTIONS}
        onChange={setOr('operation', 'all')}
      />
      <ScopeSelect
        label="Gateway"
        value={scope.gateway}
        options={['all', ...known].map((value) => ({ value, label: value }))}
        onChange={setOr('gateway', 'all')}
      />
      <ScopeSelect
        label="Outcome"
        value={scope.outcome}
        options={OUTCOME_OPTIONS}
        onChange={setOr('outcome', 'served')}
      />
      <TimeRange value={scope.time} onChange={time.set} />
      <fieldset className="inline-flex">
        <legend className="sr-only">Move in time</legend>
        <TimeButton label="Earlier" sign="‹" onClick={() => time.shift(-1)} className="rounded-r-none" />
        <TimeButton label="Later" sign="›" onClick={() => time.shift(1)} className="-ml-px rounded-none" />
        <TimeButton label="Zoom out" sign="−" onClick={() => time.zoom(2)} className="-ml-px rounded-none" />
        <TimeButton label="Zoom in" sign="+" onClick={() => time.zoom(0.5)} className="-ml-px rounded-l-none" />
      </fieldset>
      <ScopeToggle on={scope.isLive} onChange={time.setLive}>
        {scope.isLive && isHeld ? 'Live, paused' : 'Live'}
      </ScopeToggle>
      <CopyButton
        label="Copy link"
        text={() => (span === undefined ? location.href : pinnedUrl(location.href, span))}
      />
      <CopyButton label="Copy live link" text={() => liveUrl(location.href, rangeOf(scope.time))} />
    </ScopeBar>
  );
}

type TimeScope = Pick<ScopeControlsProps, 'scope' | 'set' | 'span'>;

function useTimeActs({ scope, set, span }: TimeScope) {
  const put = (value: TimeRangeValue) => set({ ...timeRangeParams(value), live: null });
  const shift = (direction: -1 | 1) => put(shiftTimeRange(scope.time, direction, Date.now()));
  const zoom = (factor: 2 | 0.5) => put(zoomTimeRange(scope.time, factor, Date.now()));
  const setLive = (on: boolean) =>
    set({ ...timeRangeParams({ kind: 'relative', range: rangeOf(scope.time) }), live: on ? null : 'off' });
  useShortcuts([
    { keys: '[', label: 'Earlier', run: () => shift(-1) },
    { keys: ']', label: 'Later', run: () => shift(1) },
    { keys: '-', label: 'Zoom out', run: () => zoom(2) },
    { keys: '=', label: 'Zoom in', run: () => zoom(0.5) },
    { keys: 't l', label: 'Live on or off', run: () => setLive(!scope.isLive) },
    {
      keys: 't a',
      label: 'Pin this time',
      run: () => put({ kind: 'absolute', ...(span ?? resolveTimeRange(scope.time, Date.now())) }),
    },
  ]);
  return { set: put, shift, zoom, setLive };
}

interface TimeButtonProps {
  readonly label: string;
  readonly sign: string;
  readonly onClick: () => void;
  readonly className: string;
}

function TimeButton({ label, sign, onClick, className }: TimeButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      onClick={onClick}
      className={`${CHIP} min-w-7 justify-center focus-visible:z-10 ${className}`}
    >
      {sign}
    </button>
  );
}

/** The relative range that is nearest to a time: its own, or the shortest that is as long. */
function rangeOf(time: TimeRangeValue): RelativeRange {
  if (time.kind === 'relative') return time.range;
  const width = time.toMs - time.fromMs;
  return (Object.keys(RANGE_MS) as RelativeRange[]).find((range) => RANGE_MS[range] >= width) ?? '30d';
}
