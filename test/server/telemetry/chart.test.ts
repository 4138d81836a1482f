import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OUTCOMES } from '#gateway/contract/errors.ts';
import { bucketOf, mergeHistograms, RELATIVE_ERROR } from '#gateway/contract/histogram.ts';
import type { SparseHistogram } from '#gateway/contract/telemetry.ts';
import { heatmapOf } from '#server/telemetry/heatmap.ts';
import { needOf, percentileOf, percentilesOf } from '#server/telemetry/percentile.ts';
import { pointsOf, type Reports } from '#server/telemetry/points.ts';
import { isWanted, type Series } from '#server/telemetry/series.ts';
import { bucketStart, columnMsOf, displayBucketMs, windowOf } from '#server/telemetry/window.ts';

const NOW = Date.UTC(2026, 10, 30, 14, 0, 0);

function sketch(values: readonly number[]): SparseHistogram {
  return mergeHistograms(values.map((us) => [[bucketOf(us), 1]]));
}

function seriesAt(atMs: number, values: readonly number[], outcome: Series['outcome'] = 'served'): Series {
  return {
    atMs,
    operation: 'object.get',
    outcome,
    histogram: sketch(values),
    count: values.length,
    maxUs: Math.max(...values),
    ru: values.length,
    cacheHits: 0,
    cacheMisses: 0,
  };
}

const everyTen = (fromMs: number, toMs: number) =>
  new Set(Array.from({ length: Math.ceil((toMs - fromMs) / 10_000) }, (_, index) => fromMs + index * 10_000));

describe('percentiles', () => {
  it('need 10/(1−p) requests', () => {
    expect([0.5, 0.95, 0.99].map(needOf)).toEqual([20, 200, 1_000]);
    expect(percentileOf(sketch(Array(999).fill(5)), 0.99, 5)).toBeNull();
    expect(percentileOf(sketch(Array(1_000).fill(5)), 0.99, 5)).toBe(5);
  });

  it('from merged sketches are within the stated error of the exact ones, however requests were spread', () => {
    const values = fc.array(fc.integer({ min: 1, max: 20_000_000 }), { minLength: 1_000, maxLength: 1_400 });
    fc.assert(
      fc.property(values, fc.integer({ min: 1, max: 9 }), (all, gateways) => {
        const parts = Array.from({ length: gateways }, (_, part) => all.filter((_, at) => at % gateways === part));
        const merged = mergeHistograms(parts.map(sketch));
        const sorted = [...all].sort((a, b) => a - b);
        const got = percentilesOf(merged, sorted.at(-1) ?? 0);
        for (const [p, us] of [
          [0.5, got.p50Us],
          [0.95, got.p95Us],
          [0.99, got.p99Us],
        ] as const) {
          const exact = sorted[Math.ceil(p * sorted.length) - 1] ?? 0;
          expect(Math.abs((us ?? 0) - exact)).toBeLessThanOrEqual(exact * RELATIVE_ERROR + 0.5);
        }
      }),
      { numRuns: 40 },
    );
  });
});

describe('window of a chart', () => {
  it('reads the finest width that is still kept', () => {
    expect(windowOf({ range: '1h' }, NOW)?.width.seconds).toBe(10);
    expect(windowOf({ range: '24h' }, NOW)?.width.seconds).toBe(60);
    expect(windowOf({ range: '30d' }, NOW)?.width.seconds).toBe(3_600);
    const threeDaysAgo = NOW - 3 * 86_400_000;
    expect(windowOf({ range: '1h', fromMs: threeDaysAgo, toMs: threeDaysAgo + 900_000 }, NOW)?.width.seconds).toBe(60);
  });

  it('an empty or reversed window is none', () => {
    expect(windowOf({ range: '1h', fromMs: NOW, toMs: NOW }, NOW)).toBeNull();
    expect(windowOf({ range: '1h', fromMs: NOW + 1 }, NOW)).toBeNull();
  });

  it('has at most 600 points and 120 columns whatever it spans', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 90 * 86_400_000 }),
        fc.integer({ min: 0, max: 86_400_000 }),
        (span, ago) => {
          const window = windowOf({ range: '1h', fromMs: NOW - ago - span, toMs: NOW - ago }, NOW);
          if (window === null) throw new Error('no window');
          const request = {
            ...window,
            bucketMs: displayBucketMs(window, new Map()),
            outcome: 'all',
            nowMs: NOW,
          } as const;
          expect(pointsOf([], { spans: new Set(), firstMs: null }, request).length).toBeLessThanOrEqual(600);
          expect(heatmapOf([], { ...window, columnMs: columnMsOf(window) }).columns).toBeLessThanOrEqual(120);
        },
      ),
    );
  });

  it('widens its buckets until the median one carries p99, and no further than 30 points', () => {
    const window = windowOf({ range: '1h' }, NOW);
    if (window === null) throw new Error('no window');
    const perBucket = (count: number) =>
      new Map([...everyTen(window.fromMs, window.toMs)].map((atMs) => [atMs, count]));
    expect(displayBucketMs(window, perBucket(1_000))).toBe(10_000);
    expect(displayBucketMs(window, perBucket(200))).toBe(60_000);
    expect(displayBucketMs(window, perBucket(90))).toBe(120_000);
    // Too few for p99 within 30 points: wide enough for p95.
    expect(displayBucketMs(window, perBucket(40))).toBe(60_000);
    expect(displayBucketMs(window, new Map())).toBe(10_000);
  });
});

describe('points of a chart', () => {
  const fromMs = NOW - 120_000;
  const request = { fromMs, toMs: NOW, bucketMs: 10_000, outcome: 'served', nowMs: NOW } as const;
  const reports: Reports = { spans: everyTen(fromMs, NOW), firstMs: fromMs - 60_000 };

  it('no requests while a gateway reported is blank, no report is a gap', () => {
    const quiet = pointsOf([], reports, request);
    expect(quiet.some(({ gap }) => gap)).toBe(false);
    const spans = new Set([...reports.spans].filter((at) => at < fromMs + 30_000 || at >= fromMs + 60_000));
    const gaps = pointsOf([], { ...reports, spans }, request).filter(({ gap }) => gap);
    expect(gaps.map(({ atMs }) => atMs)).toEqual([fromMs + 30_000, fromMs + 40_000, fromMs + 50_000]);
  });

  it('the newest span is no gap before its report is due', () => {
    const points = pointsOf([], { ...reports, spans: new Set() }, request);
    expect(points.at(-1)?.gap).toBe(false);
    expect(points.at(0)?.gap).toBe(true);
  });

  it('before the first report of all, nothing is a gap', () => {
    expect(pointsOf([], { spans: new Set(), firstMs: null }, request).some(({ gap }) => gap)).toBe(false);
    const points = pointsOf([], { spans: new Set([NOW - 20_000]), firstMs: NOW - 20_000 }, request);
    expect(points.some(({ gap }) => gap)).toBe(false);
  });

  it('refused requests count as outcomes and do not move the percentiles of served ones', () => {
    const served = seriesAt(fromMs, Array(1_000).fill(2_000));
    const refused = seriesAt(fromMs, Array(9_000).fill(10), 'overQuota');
    const [point] = pointsOf([served, refused], reports, request);
    expect(point).toMatchObject({ requests: 1_000, outcomes: { served: 1_000, overQuota: 9_000 } });
    expect(point?.p99Us).toBeGreaterThan(1_900);
  });

  it('a miss is served: it got its true answer', () => {
    expect(OUTCOMES.filter((outcome) => isWanted(outcome, 'served'))).toEqual(['served', 'notFound']);
  });

  it('every request is in exactly one point, and in exactly one cell of the heatmap', () => {
    const offset = fc.tuple(
      fc.integer({ min: 0, max: 11 }),
      fc.array(fc.integer({ min: 1, max: 10 ** 7 }), { minLength: 1 }),
    );
    fc.assert(
      fc.property(fc.array(offset, { maxLength: 30 }), fc.constantFrom(10_000, 20_000, 60_000), (placed, bucketMs) => {
        const series = placed.map(([slot, values]) => seriesAt(fromMs + slot * 10_000, values));
        const total = series.reduce((sum, { count }) => sum + count, 0);
        const points = pointsOf(series, reports, { ...request, bucketMs });
        expect(points.reduce((sum, { requests }) => sum + requests, 0)).toBe(total);
        const map = heatmapOf(series, { fromMs, toMs: NOW, columnMs: bucketMs });
        expect(map.cells.reduce((sum, [, , count]) => sum + count, 0)).toBe(total);
        for (const [column, row] of map.cells) {
          expect(column).toBeLessThan(map.columns);
          expect(row).toBeLessThan(Math.max(0, map.rowBoundsUs.length - 1));
        }
      }),
    );
  });

  it('buckets are aligned, so the same moment lies in the same bucket in every view', () => {
    expect(bucketStart(NOW + 12_345, 10_000)).toBe(NOW + 10_000);
  });
});
