import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { durationAxis, formatUs } from '#components/charts/duration-axis.ts';
import { lonePoints, spreadLabels } from '#components/charts/line-ends.ts';
import { runsOf } from '#components/charts/sparkline.tsx';
import { placeParts } from '#components/charts/stage-bar.tsx';
import { timeTicks } from '#components/charts/time-axis.ts';

describe('the axis of durations', () => {
  const values = fc.array(fc.integer({ min: 1, max: 60_000_000 }), { minLength: 1, maxLength: 50 });

  it.each(['log', 'linear'] as const)('holds every value and stays readable (%s)', (scale) => {
    fc.assert(
      fc.property(values, (durations) => {
        const axis = durationAxis(durations, scale);
        expect(axis.fromUs).toBeLessThanOrEqual(Math.min(...durations));
        expect(axis.toUs).toBeGreaterThanOrEqual(Math.max(...durations) * (1 - 1e-9));
        expect(axis.ticks.length).toBeGreaterThanOrEqual(2);
        expect(axis.ticks.length).toBeLessThanOrEqual(10);
        expect([...axis.ticks]).toEqual([...axis.ticks].sort((a, b) => a - b));
      }),
    );
  });

  it('writes a duration in its own unit', () => {
    expect([420, 4_200, 147_000, 1_900_000].map(formatUs)).toEqual([
      '420\u00a0µs',
      '4.2\u00a0ms',
      '147\u00a0ms',
      '1.9\u00a0s',
    ]);
  });
});

describe('the axis of time', () => {
  it('has round ticks, inside the span, no more than there is room for', () => {
    const anySpan = fc.tuple(
      fc.integer({ min: 1.7e12, max: 1.9e12 }),
      fc.integer({ min: 60_000, max: 30 * 86_400_000 }),
    );
    fc.assert(
      fc.property(anySpan, fc.integer({ min: 3, max: 10 }), ([fromMs, width], most) => {
        const ticks = timeTicks({ fromMs, toMs: fromMs + width }, most, 'utc');
        expect(ticks.length).toBeLessThanOrEqual(most + 1);
        for (const { atMs } of ticks) {
          expect(atMs).toBeGreaterThanOrEqual(fromMs);
          expect(atMs).toBeLessThanOrEqual(fromMs + width);
          expect(atMs % 10_000).toBe(0);
        }
      }),
    );
  });

  it('ticks an hour by the quarter', () => {
    const fromMs = Date.UTC(2026, 10, 30, 13, 0);
    const ticks = timeTicks({ fromMs, toMs: fromMs + 3_600_000 }, 4, 'utc');
    expect(ticks.map(({ label }) => label)).toEqual(['13:00', '13:15', '13:30', '13:45', '14:00']);
  });
});

describe('labels at the ends of lines', () => {
  it('keep their distance and their order, inside the plot', () => {
    const three = fc.array(fc.integer({ min: 10, max: 190 }), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(three, (wanted) => {
        const placed = spreadLabels(wanted, 15, { topPx: 0, bottomPx: 200 });
        const order = wanted.map((_, at) => at).sort((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0));
        for (const [rank, at] of order.entries()) {
          const above = order[rank - 1];
          expect(placed[at]).toBeGreaterThanOrEqual(0);
          expect(placed[at]).toBeLessThanOrEqual(200);
          if (above !== undefined) expect((placed[at] ?? 0) - (placed[above] ?? 0)).toBeGreaterThanOrEqual(15);
        }
      }),
    );
  });

  it('stay where they belong when there is room', () => {
    expect(spreadLabels([20, 80, 140], 15, { topPx: 0, bottomPx: 200 })).toEqual([20, 80, 140]);
  });
});

describe('a line', () => {
  const at = (p99Us: number | null, atMs: number) => ({
    atMs,
    requests: 0,
    p50Us: null,
    p95Us: null,
    p99Us,
    maxUs: null,
    gap: false,
    outcomes: { served: 0, notFound: 0, refused: 0, overQuota: 0, overloaded: 0, failed: 0 },
  });

  it('shows a value that stands alone as a dot', () => {
    const points = [at(null, 0), at(5, 1), at(null, 2), at(6, 3), at(7, 4)];
    expect(lonePoints(points, 'p99Us').map(({ atMs }) => atMs)).toEqual([1]);
  });

  it('breaks where a value is missing', () => {
    expect(runsOf([1, 2, null, 3]).map((run) => run.map(({ value }) => value))).toEqual([[1, 2], [3]]);
  });
});

describe('the bar of a request', () => {
  it('is as long as the request: what no stage accounts for is the rest', () => {
    const parts = [
      { key: 'auth', label: 'auth', about: '', us: 100 },
      { key: 'store', label: 'store', about: '', us: 700 },
    ];
    const placed = placeParts(parts, 1_000);
    expect(placed.map(({ key, fromUs, us }) => [key, fromUs, us])).toEqual([
      ['auth', 0, 100],
      ['store', 100, 700],
      ['rest', 800, 200],
    ]);
    expect(placeParts(parts, 800).map(({ key }) => key)).toEqual(['auth', 'store']);
  });
});
