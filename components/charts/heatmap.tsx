'use client';

import { useEffect, useId, useRef, useState } from 'react';
import { usePreferences } from '#components/ui/preferences.tsx';
import { drawHeat } from './draw-heat.ts';
import { HeatAxes } from './heat-axes.tsx';
import { cellAt, cellOf, firstCell, type HeatCell, type HeatGrid } from './heat-grid.ts';
import { HeatLegend } from './heat-legend.tsx';
import { cellWords } from './heat-words.ts';
import type { Span } from './time-axis.ts';
import { useHeatColours } from './use-heat-colours.ts';
import { useWidth } from './use-width.ts';

interface HeatmapProps {
  readonly label: string;
  readonly grid: HeatGrid;
  readonly gaps: readonly Span[];
  readonly heightPx: number;
  /** Show the kept requests of a cell. */
  readonly onCell: (cell: HeatCell) => void;
}

const AXIS_PX = 52;
const FOOT_PX = 44;
const TOP_PX = 8;

/**
 * Requests by time and duration on a canvas, with axes and legend in HTML. A click opens a cell's kept requests; so do
 * the arrow keys and Enter.
 */
export function Heatmap({ label, grid, gaps, heightPx, onCell }: HeatmapProps) {
  const [ref, width] = useWidth();
  const legend = useRef<HTMLDivElement>(null);
  const colours = useHeatColours(legend);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [cursor, setCursor] = useState<HeatCell>();
  const plot = { width: Math.max(0, width - AXIS_PX - 8), height: heightPx - FOOT_PX - TOP_PX };
  // biome-ignore lint/correctness/useExhaustiveDependencies: drawn again for each size, grid, colour and cursor
  useEffect(() => {
    if (canvas.current === null || colours === undefined || plot.width === 0) return;
    drawHeat(canvas.current, plot, { grid, gaps, colours, cursor });
  }, [grid, gaps, colours, cursor, plot.width, plot.height]);
  return (
    <div ref={ref} style={{ height: heightPx }} className="relative">
      <HeatAxes grid={grid} plot={plot} leftPx={AXIS_PX} topPx={TOP_PX} />
      <HeatSurface label={label} grid={grid} cursor={cursor} setCursor={setCursor} onCell={onCell}>
        <canvas ref={canvas} aria-hidden style={{ width: plot.width, height: plot.height }} className="block" />
      </HeatSurface>
      <HeatLegend ref={legend} most={grid.most} />
    </div>
  );
}

interface SurfaceProps {
  readonly label: string;
  readonly grid: HeatGrid;
  readonly cursor: HeatCell | undefined;
  readonly setCursor: (cell: HeatCell | undefined) => void;
  readonly onCell: (cell: HeatCell) => void;
  readonly children: React.ReactNode;
}

const MOVES: Readonly<Record<string, readonly [columns: number, rows: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

/** The one button that the canvas is: it points at a cell, by pointer or arrow keys, and opens it. */
function HeatSurface({ label, grid, cursor, setCursor, onCell, children }: SurfaceProps) {
  const id = useId();
  const { zone } = usePreferences();
  const at = (event: React.MouseEvent<HTMLElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    return cellAt(grid, (event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height);
  };
  const move = (event: React.KeyboardEvent) => {
    const step = MOVES[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const now = cursor ?? firstCell(grid);
    const column = Math.min(grid.columns - 1, Math.max(0, now.column + step[0]));
    const row = Math.min(grid.rows - 1, Math.max(0, now.row + step[1]));
    setCursor(cellOf(grid, column, row));
  };
  return (
    <>
      <button
        type="button"
        aria-label={`${label}. Arrow keys choose a cell, Enter shows its kept requests.`}
        aria-describedby={id}
        className="absolute cursor-crosshair focus-visible:outline-offset-4"
        style={{ left: AXIS_PX, top: TOP_PX }}
        onPointerMove={(event) => setCursor(at(event))}
        onPointerLeave={() => setCursor(undefined)}
        onFocus={() => cursor === undefined && setCursor(firstCell(grid))}
        onBlur={() => setCursor(undefined)}
        onKeyDown={move}
        onClick={(event) => {
          // A click made by Enter or Space has no place of its own.
          const cell = event.detail === 0 ? cursor : at(event);
          if (cell !== undefined) onCell(cell);
        }}
      >
        {children}
      </button>
      <span
        id={id}
        aria-live="polite"
        className="pointer-events-none absolute bottom-0 left-0 max-w-[60%] truncate text-ink-2 text-meta"
      >
        {cursor === undefined ? '' : cellWords(cursor, zone)}
      </span>
    </>
  );
}
