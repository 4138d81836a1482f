'use client';

import { useId } from 'react';
import { Bar, BarChart, type BarShapeProps, CartesianGrid, Tooltip, XAxis, YAxis } from 'recharts';
import { usePreferences } from '#components/ui/preferences.tsx';
import { OUTCOMES, type Outcome } from '#gateway/contract/errors.ts';
import { OutcomeShape } from './outcome-shape.tsx';
import { OUTCOME_WORDS } from './outcome-words.ts';
import { perSecondWords } from './per-second.ts';
import { StackGaps } from './stack-gaps.tsx';
import { StackTooltip } from './stack-tooltip.tsx';
import { type LatencyPoint, type OutcomeBar, outcomeBars } from './thin-points.ts';
import { type Span, timeTicks } from './time-axis.ts';
import { useWidth } from './use-width.ts';

export interface StackProps {
  readonly label: string;
  readonly span: Span;
  readonly bucketMs: number;
  readonly points: readonly LatencyPoint[];
  readonly heightPx: number;
}

/** Width that a bar needs so that its colours can be told apart. */
const BAR_PX = 5;
const TICK = { fill: 'var(--ink-3)', fontSize: 11 };

/** Outcomes per second, piled in one order with a pixel between them. */
export function Stack(props: StackProps) {
  const [ref, width] = useWidth();
  return (
    <div ref={ref} style={{ height: props.heightPx }}>
      {width > 0 && <Drawing {...props} width={width} />}
    </div>
  );
}

function Drawing({ label, span, bucketMs, points, heightPx, width }: StackProps & { readonly width: number }) {
  const { zone } = usePreferences();
  const hatchId = useId();
  const bars = outcomeBars(points, bucketMs, Math.floor(width / BAR_PX));
  const ticks = tickBars(bars, span, { zone, most: width < 380 ? 3 : 5 });
  return (
    <BarChart
      width={width}
      height={heightPx}
      data={[...bars]}
      title={label}
      barCategoryGap={0.5}
      margin={{ top: 18, right: 20, bottom: 0, left: 0 }}
    >
      <CartesianGrid vertical={false} stroke="var(--line)" />
      <XAxis
        dataKey="atMs"
        ticks={[...ticks.keys()]}
        tickFormatter={(atMs: number) => ticks.get(atMs) ?? ''}
        interval={0}
        tick={TICK}
        tickLine={false}
        axisLine={{ stroke: 'var(--line)' }}
        height={22}
      />
      <YAxis width={52} tick={TICK} tickLine={false} axisLine={false} tickCount={4} tickFormatter={perSecondWords} />
      <StackGaps bars={bars} hatchId={hatchId} />
      <Tooltip
        content={({ active, payload }) => <StackTooltip active={active} payload={payload} />}
        cursor={{ fill: 'var(--sunken)' }}
        isAnimationActive={false}
      />
      {OUTCOMES.map((outcome) => (
        <Bar
          key={outcome}
          stackId="outcomes"
          dataKey={(bar: OutcomeBar) => bar.perSecond[outcome]}
          name={OUTCOME_WORDS[outcome].label}
          isAnimationActive={false}
          shape={(segment: BarShapeProps) => <Segment {...segment} outcome={outcome} />}
        />
      ))}
    </BarChart>
  );
}

/** One outcome of one bar. The pixel above it stays free; what is there at all is at least a pixel high. */
function Segment({ x, y, width, height, outcome }: BarShapeProps & { readonly outcome: Outcome }) {
  if (!(height > 0)) return <g />;
  const drawn = Math.max(1, height - 1);
  return <OutcomeShape outcome={outcome} x={x} y={y + height - drawn} width={Math.max(1, width)} height={drawn} />;
}

/** Bars that stand nearest to round moments, by their time. */
function tickBars(
  bars: readonly OutcomeBar[],
  span: Span,
  { zone, most }: { readonly zone: 'local' | 'utc'; readonly most: number },
): ReadonlyMap<number, string> {
  const ticks = new Map<number, string>();
  for (const tick of timeTicks(span, most, zone)) {
    const bar = bars.find(({ atMs, widthMs }) => atMs <= tick.atMs && tick.atMs < atMs + widthMs);
    if (bar !== undefined) ticks.set(bar.atMs, tick.label);
  }
  return ticks;
}
