import type { FigureTable } from '#components/ui/figure.tsx';
import { formatCount, plural } from '#components/ui/format-number.ts';
import { formatTime } from '#components/ui/format-time.ts';
import { formatUs } from './duration-axis.ts';
import { cellOf, type HeatCell, type HeatGrid } from './heat-grid.ts';

/** A cell in words: *13:37:20–13:37:50, 20–27 ms: 41 requests*. */
export function cellWords(cell: HeatCell, zone: 'local' | 'utc'): string {
  const requests = cell.requests === 0 ? 'no requests' : plural(cell.requests, 'request');
  return `${placeWords(cell, zone)}: ${requests}`;
}

/** Every cell that has requests, for the table behind the figure. */
export function heatTable(grid: HeatGrid, zone: 'local' | 'utc'): FigureTable {
  return {
    heads: ['Time and duration', 'Requests'],
    rows: grid.cells.map(([column, row, requests]) => [
      placeWords(cellOf(grid, column, row), zone),
      formatCount(requests),
    ]),
  };
}

function placeWords(cell: HeatCell, zone: 'local' | 'utc'): string {
  const timeZone = zone === 'utc' ? 'UTC' : undefined;
  const time = `${formatTime(cell.fromMs, 'second', timeZone)}–${formatTime(cell.toMs, 'second', timeZone)}`;
  return `${time}, ${formatUs(cell.fromUs)}–${formatUs(cell.toUs)}`;
}
