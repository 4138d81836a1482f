import { boundsOf } from '#gateway/contract/histogram.ts';
import type { TenantLatency } from '#server/contract/latency.ts';
import type { Series } from './series.ts';
import { bucketStart } from './window.ts';

const ROWS_PER_DECADE = 8;

/**
 * Requests by time and duration: columns of `columnMs`, rows of an eighth of a decade from the shortest to the longest
 * duration seen. A stored bucket goes whole to the row that holds its middle. Cells are sparse and sorted.
 */
export function heatmapOf(
  series: readonly Series[],
  window: { readonly fromMs: number; readonly toMs: number; readonly columnMs: number },
): TenantLatency['heatmap'] {
  const startMs = bucketStart(window.fromMs, window.columnMs);
  const counts = new Map<string, number>();
  let lowest = Number.POSITIVE_INFINITY;
  let highest = Number.NEGATIVE_INFINITY;
  for (const { atMs, histogram } of series) {
    const column = Math.floor((atMs - startMs) / window.columnMs);
    for (const [index, count] of histogram) {
      const row = rowOf(index);
      lowest = Math.min(lowest, row);
      highest = Math.max(highest, row);
      counts.set(`${column} ${row}`, (counts.get(`${column} ${row}`) ?? 0) + count);
    }
  }
  const rows = counts.size === 0 ? 0 : highest - lowest + 1;
  return {
    columns: Math.ceil((window.toMs - startMs) / window.columnMs),
    columnMs: window.columnMs,
    rowBoundsUs: rows === 0 ? [] : Array.from({ length: rows + 1 }, (_, step) => boundOf(lowest + step)),
    cells: cellsOf(counts, lowest),
  };
}

function cellsOf(counts: ReadonlyMap<string, number>, lowest: number): [number, number, number][] {
  return [...counts]
    .map(([key, count]): [number, number, number] => {
      const [column = 0, row = 0] = key.split(' ').map(Number);
      return [column, row - lowest, count];
    })
    .sort((a, b) => a[0] - b[0] || a[1] - b[1]);
}

function rowOf(index: number): number {
  const { fromUs, toUs } = boundsOf(index);
  return Math.floor(Math.log10(Math.max(1, (fromUs + toUs - 1) / 2)) * ROWS_PER_DECADE);
}

function boundOf(row: number): number {
  return 10 ** (row / ROWS_PER_DECADE);
}
