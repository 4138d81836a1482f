import type { TenantLatency } from '#server/contract/latency.ts';

/** Colours of the heatmap. */
export const HEAT_STEPS = 7;
/** Fewest rows: two decades, so that a narrow distribution does not fill the figure. */
const LEAST_ROWS = 16;
const ROWS_PER_DECADE = 8;

/** One cell: how many requests of one stretch of time took one stretch of durations. */
export interface HeatCell {
  readonly column: number;
  readonly row: number;
  readonly requests: number;
  readonly fromMs: number;
  readonly toMs: number;
  readonly fromUs: number;
  readonly toUs: number;
}

export interface HeatGrid {
  readonly columns: number;
  readonly rows: number;
  readonly startMs: number;
  readonly columnMs: number;
  /** Ascending; one more than rows. */
  readonly boundsUs: readonly number[];
  readonly most: number;
  readonly cells: readonly (readonly [column: number, row: number, requests: number])[];
}

/** The grid that is drawn: the reply's, with empty rows around a narrow distribution. Row 0 is the shortest. */
export function heatGrid(heatmap: TenantLatency['heatmap'], fromMs: number): HeatGrid {
  const { columns, columnMs, rowBoundsUs, cells } = heatmap;
  const lowest = rowBoundsUs[0] ?? 1_000;
  const seen = Math.max(0, rowBoundsUs.length - 1);
  const missing = Math.max(0, LEAST_ROWS - seen);
  const below = Math.floor(missing / 2);
  const rows = seen + missing;
  return {
    columns,
    rows,
    startMs: Math.floor(fromMs / columnMs) * columnMs,
    columnMs,
    boundsUs: Array.from({ length: rows + 1 }, (_, at) => lowest * 10 ** ((at - below) / ROWS_PER_DECADE)),
    most: cells.reduce((most, [, , requests]) => Math.max(most, requests), 0),
    cells: cells.map(([column, row, requests]) => [column, row + below, requests] as const),
  };
}

/** Colour of a cell, 1 to 7: by the square root, so that rare durations are seen beside frequent ones. */
export function heatStep(requests: number, most: number): number {
  if (requests <= 0 || most <= 0) return 0;
  return Math.min(HEAT_STEPS, Math.max(1, Math.ceil(Math.sqrt(requests / most) * HEAT_STEPS)));
}

/** The cell at a place of the figure: shares of its width from the left and of its height from the top. */
export function cellAt(grid: HeatGrid, x: number, y: number): HeatCell {
  const column = Math.min(grid.columns - 1, Math.max(0, Math.floor(x * grid.columns)));
  const row = Math.min(grid.rows - 1, Math.max(0, grid.rows - 1 - Math.floor(y * grid.rows)));
  return cellOf(grid, column, row);
}

/** One cell in full. */
export function cellOf(grid: HeatGrid, column: number, row: number): HeatCell {
  return {
    column,
    row,
    requests: grid.cells.find(([c, r]) => c === column && r === row)?.[2] ?? 0,
    fromMs: grid.startMs + column * grid.columnMs,
    toMs: grid.startMs + (column + 1) * grid.columnMs,
    fromUs: grid.boundsUs[row] ?? 0,
    toUs: grid.boundsUs[row + 1] ?? 0,
  };
}

/** The busiest cell of the newest column that has any: where a keyboard begins. */
export function firstCell(grid: HeatGrid): HeatCell {
  const column = grid.cells.reduce((last, [each]) => Math.max(last, each), 0);
  const busiest = grid.cells
    .filter(([each]) => each === column)
    .reduce<HeatGrid['cells'][number] | undefined>(
      (best, cell) => (best === undefined || cell[2] > best[2] ? cell : best),
      undefined,
    );
  return cellOf(grid, column, busiest?.[1] ?? 0);
}

/** Powers of ten inside the grid, as shares from the bottom. */
export function decadeTicks({ boundsUs, rows }: HeatGrid): readonly { readonly us: number; readonly share: number }[] {
  const lowest = boundsUs[0] ?? 1;
  const highest = boundsUs[rows] ?? 1;
  const first = Math.ceil(Math.log10(lowest) - 1e-9);
  const last = Math.floor(Math.log10(highest) + 1e-9);
  const span = Math.log10(highest) - Math.log10(lowest);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => ({
    us: 10 ** (first + at),
    share: (first + at - Math.log10(lowest)) / span,
  }));
}
