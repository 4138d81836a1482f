'use client';

import { useId } from 'react';
import { CartesianGrid, Line, LineChart, Tooltip, XAxis, YAxis } from 'recharts';
import { usePreferences } from '#components/ui/preferences.tsx';
import type { TenantLatency } from '#server/contract/latency.ts';
import { ChartTooltip } from './chart-tooltip.tsx';
import { type DurationAxis, durationAxis, tickUs } from './duration-axis.ts';
import { LINES } from './line-ends.ts';
import { Dots, Gaps, LineEnds, LonePoints, Markers, Target } from './line-layers.tsx';
import { gapSpans, type LatencyPoint, thinPoints } from './thin-points.ts';
import { type Span, timeTicks } from './time-axis.ts';
import { useWidth } from './use-width.ts';

export interface LinesProps {
  /** What is drawn, for screen readers. */
  readonly label: string;
  readonly span: Span;
  readonly bucketMs: number;
  readonly points: readonly LatencyPoint[];
  readonly dots: TenantLatency['dots'];
  readonly markers: TenantLatency['markers'];
  readonly targetP99Ms: number | null;
  readonly scale: 'log' | 'linear';
  readonly heightPx: number;
  readonly onDot: (requestId: string) => void;
}

/** Most points of one line: more cannot be told apart and take seconds to mount. */
const MOST_POINTS = 600;

/** p50, p95 and p99 over time, with releases, gaps, the target, and single requests where there are too few. */
export function Lines(props: LinesProps) {
  const [ref, width] = useWidth();
  return (
    <div ref={ref} style={{ height: props.heightPx }}>
      {width > 0 && <Drawing {...props} width={width} />}
    </div>
  );
}

function Drawing(props: LinesProps & { readonly width: number }) {
  const { label, span, bucketMs, points, dots, targetP99Ms, scale, heightPx, width } = props;
  const { zone } = usePreferences();
  const hatchId = useId();
  const isNarrow = width < 520;
  const drawn = thinPoints(points, Math.min(MOST_POINTS, Math.max(60, width)));
  const stepMs = drawn.length > 1 ? (drawn[1]?.atMs ?? 0) - (drawn[0]?.atMs ?? 0) : bucketMs;
  // A bucket's values stand at its middle.
  const series = drawn.map((point) => ({ ...point, atMs: point.atMs + stepMs / 2 }));
  const axis = durationAxis(shownValues(points, dots, targetP99Ms), scale);
  const ticks = timeTicks(span, isNarrow ? 4 : 8, zone);
  return (
    <LineChart
      width={width}
      height={heightPx}
      data={series}
      title={label}
      margin={{ top: 18, right: isNarrow ? 58 : 84, bottom: 0, left: 0 }}
    >
      <CartesianGrid vertical={false} stroke="var(--line)" />
      <XAxis
        type="number"
        dataKey="atMs"
        domain={[span.fromMs, span.toMs]}
        allowDataOverflow
        ticks={ticks.map(({ atMs }) => atMs)}
        tickFormatter={(atMs: number) => ticks.find((tick) => tick.atMs === atMs)?.label ?? ''}
        interval={0}
        tick={TICK}
        tickLine={false}
        axisLine={{ stroke: 'var(--line)' }}
        height={22}
      />
      <DurationYAxis axis={axis} scale={scale} />
      <Gaps spans={gapSpans(points, bucketMs)} hatchId={hatchId} />
      <Markers markers={props.markers} span={span} />
      {targetP99Ms !== null && <Target us={targetP99Ms * 1_000} />}
      <Tooltip
        content={({ active, payload }) => <ChartTooltip active={active} payload={payload} widthMs={stepMs} />}
        cursor={{ stroke: 'var(--edge)' }}
        isAnimationActive={false}
      />
      {LINES.map((line) => (
        <Line
          key={line.key}
          dataKey={line.key}
          name={line.label}
          stroke={line.colour}
          strokeWidth={line.widthPx}
          strokeLinejoin="round"
          dot={false}
          activeDot={{ r: 3, stroke: 'var(--surface)', strokeWidth: 1, fill: line.colour }}
          isAnimationActive={false}
          connectNulls={false}
        />
      ))}
      <LonePoints points={series} />
      <Dots dots={dots} onDot={props.onDot} />
      <LineEnds points={series} isNarrow={isNarrow} />
    </LineChart>
  );
}

const TICK = { fill: 'var(--ink-3)', fontSize: 11 };

/** recharts reads its axes from the children of a chart by context, so a component may stand between. */
function DurationYAxis({ axis, scale }: { readonly axis: DurationAxis; readonly scale: 'log' | 'linear' }) {
  return (
    <YAxis
      type="number"
      scale={scale}
      domain={[axis.fromUs, axis.toUs]}
      allowDataOverflow
      ticks={[...axis.ticks]}
      tickFormatter={tickUs}
      interval={0}
      tick={TICK}
      tickLine={false}
      axisLine={false}
      width={52}
    />
  );
}

function shownValues(
  points: readonly LatencyPoint[],
  dots: TenantLatency['dots'],
  targetP99Ms: number | null,
): readonly number[] {
  const values = points.flatMap(({ p50Us, p95Us, p99Us }) => [p50Us, p95Us, p99Us]).filter((value) => value !== null);
  return [...values, ...dots.map(({ us }) => us), ...(targetP99Ms === null ? [] : [targetP99Ms * 1_000])];
}
