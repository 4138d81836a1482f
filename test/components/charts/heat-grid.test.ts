import { describe, expect, it } from 'vitest';
import { cellAt, cellOf, decadeTicks, firstCell, heatGrid, heatStep } from '#components/charts/heat-grid.ts';

const bound = (row: number) => 10 ** (row / 8);
const START = Date.UTC(2026, 10, 30, 13, 0);
const grid = heatGrid(
  {
    columns: 4,
    columnMs: 30_000,
    rowBoundsUs: [bound(24), bound(25), bound(26)],
    cells: [
      [0, 0, 100],
      [3, 0, 1],
      [3, 1, 25],
    ],
  },
  START + 5_000,
);

describe('the heatmap', () => {
  it('spans two decades at least, and leaves every cell at its own duration', () => {
    expect(grid.rows).toBe(16);
    const busiest = firstCell(grid);
    expect(busiest.requests).toBe(25);
    expect(busiest.fromUs).toBeCloseTo(bound(25), 6);
    expect(busiest.toUs).toBeCloseTo(bound(26), 6);
  });

  it('begins with the whole column that holds its first moment', () => {
    expect(cellOf(grid, 0, 0).fromMs).toBe(START);
    expect(cellOf(grid, 3, 0).toMs).toBe(START + 120_000);
  });

  it('finds the cell under a place, longest durations on top', () => {
    const { column, row } = firstCell(grid);
    const x = (column + 0.5) / grid.columns;
    const y = 1 - (row + 0.5) / grid.rows;
    expect(cellAt(grid, x, y)).toEqual(firstCell(grid));
    expect(cellAt(grid, 0, 0).row).toBe(grid.rows - 1);
    expect(cellAt(grid, 1, 1)).toMatchObject({ column: 3, row: 0 });
  });

  it('shows one request beside ten thousand', () => {
    expect(heatStep(0, 10_000)).toBe(0);
    expect(heatStep(1, 10_000)).toBe(1);
    expect(heatStep(2_500, 10_000)).toBe(4);
    expect(heatStep(10_000, 10_000)).toBe(7);
  });

  it('ticks powers of ten at their height', () => {
    const ticks = decadeTicks(grid);
    expect(ticks.map(({ us }) => us)).toContain(1_000);
    for (const { share } of ticks) {
      expect(share).toBeGreaterThanOrEqual(0);
      expect(share).toBeLessThanOrEqual(1);
    }
  });
});
