'use client';

import { usePreferences } from '#components/ui/preferences.tsx';
import { tickUs } from './duration-axis.ts';
import { decadeTicks, type HeatGrid } from './heat-grid.ts';
import { shareOf, timeTicks } from './time-axis.ts';

interface HeatAxesProps {
  readonly grid: HeatGrid;
  readonly plot: { readonly width: number; readonly height: number };
  readonly leftPx: number;
  readonly topPx: number;
}

/** Durations on the left in powers of ten, time below. Text stays text: it can be selected and grows with the page. */
export function HeatAxes({ grid, plot, leftPx, topPx }: HeatAxesProps) {
  const { zone } = usePreferences();
  const span = { fromMs: grid.startMs, toMs: grid.startMs + grid.columns * grid.columnMs };
  return (
    <div aria-hidden className="text-ink-3 text-tick">
      {decadeTicks(grid).map(({ us, share }) => (
        <span key={us}>
          <span
            className="absolute -translate-y-1/2 text-right"
            style={{ left: 0, width: leftPx - 8, top: topPx + (1 - share) * plot.height }}
          >
            {tickUs(us)}
          </span>
          <span
            className="absolute h-px bg-line"
            style={{ left: leftPx, width: plot.width, top: topPx + (1 - share) * plot.height }}
          />
        </span>
      ))}
      {plot.width > 0 &&
        timeTicks(span, plot.width < 320 ? 3 : 5, zone).map(({ atMs, label }) => (
          <span
            key={atMs}
            className="absolute -translate-x-1/2 whitespace-nowrap"
            style={{ left: leftPx + shareOf(atMs, span) * plot.width, top: topPx + plot.height + 4 }}
          >
            {label}
          </span>
        ))}
    </div>
  );
}
