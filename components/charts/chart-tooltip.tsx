'use client';

import type { TooltipContentProps } from 'recharts';
import { formatCount } from '#components/ui/format-number.ts';
import { Time } from '#components/ui/time.tsx';
import { formatUsOr } from './duration-axis.ts';
import { LINES } from './line-ends.ts';
import type { LatencyPoint } from './thin-points.ts';

interface ChartTooltipProps extends Partial<Pick<TooltipContentProps, 'active' | 'payload'>> {
  /** How long the bucket is. */
  readonly widthMs: number;
}

/** One bucket in figures: its time, its percentiles, and why one is missing. */
export function ChartTooltip({ active, payload, widthMs }: ChartTooltipProps) {
  const point = payload?.[0]?.payload as LatencyPoint | undefined;
  if (active !== true || point === undefined) return null;
  const fromMs = point.atMs - widthMs / 2;
  return (
    <TooltipBox>
      <p className="text-ink-3 text-meta">
        <Time ms={fromMs} style="second" />–<Time ms={fromMs + widthMs} style="second" />
      </p>
      <dl className="grid grid-cols-[auto_auto] gap-x-4">
        {LINES.toReversed().map((line) => (
          <div key={line.key} className="contents">
            <dt className="text-ink-2">{line.label}</dt>
            <dd className="text-right">{formatUsOr(point[line.key], `needs ${formatCount(line.need)}`)}</dd>
          </div>
        ))}
        <div className="contents">
          <dt className="text-ink-2">requests</dt>
          <dd className="text-right">{formatCount(point.requests)}</dd>
        </div>
      </dl>
    </TooltipBox>
  );
}

/** The small sheet that lies over a chart. */
export function TooltipBox({ children }: { readonly children: React.ReactNode }) {
  return (
    <div className="pointer-events-none rounded-overlay border border-line bg-surface px-3 py-2 text-meta shadow-overlay">
      {children}
    </div>
  );
}
