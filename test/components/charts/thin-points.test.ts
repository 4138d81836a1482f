import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gapSpans, type LatencyPoint, outcomeBars, thinPoints } from '#components/charts/thin-points.ts';
import { OUTCOMES } from '#gateway/contract/errors.ts';

const count = fc.integer({ min: 0, max: 10_000 });
const us = fc.option(fc.integer({ min: 1, max: 10_000_000 }), { nil: null });
const anyPoint = fc.record({
  requests: count,
  p50Us: us,
  p95Us: us,
  p99Us: us,
  maxUs: us,
  gap: fc.boolean(),
  outcomes: fc.record({
    served: count,
    notFound: count,
    refused: count,
    overQuota: count,
    overloaded: count,
    failed: count,
  }),
});
const BUCKET_MS = 10_000;
const anyPoints = fc
  .array(anyPoint, { maxLength: 400 })
  .map((points): LatencyPoint[] => points.map((point, at) => ({ ...point, atMs: at * BUCKET_MS })));

const highest = (points: readonly LatencyPoint[], key: 'p50Us' | 'p95Us' | 'p99Us') =>
  points.reduce<number | null>((most, point) => {
    const value = point[key];
    return value === null ? most : Math.max(most ?? 0, value);
  }, null);

describe('points of a chart', () => {
  it('never exceed what can be drawn, and the largest value of each line is still there', () => {
    fc.assert(
      fc.property(anyPoints, fc.integer({ min: 1, max: 600 }), (points, most) => {
        const drawn = thinPoints(points, most);
        expect(drawn.length).toBeLessThanOrEqual(most);
        for (const key of ['p50Us', 'p95Us', 'p99Us'] as const) expect(highest(drawn, key)).toBe(highest(points, key));
      }),
    );
  });

  it('keep every request when buckets are joined', () => {
    fc.assert(
      fc.property(anyPoints, fc.integer({ min: 1, max: 200 }), (points, most) => {
        const bars = outcomeBars(points, BUCKET_MS, most);
        for (const outcome of OUTCOMES) {
          const drawn = bars.reduce((sum, bar) => sum + bar.perSecond[outcome] * (bar.widthMs / 1_000), 0);
          expect(drawn).toBeCloseTo(
            points.reduce((sum, { outcomes }) => sum + outcomes[outcome], 0),
            3,
          );
        }
      }),
    );
  });

  it('say no data only where every joined bucket had none', () => {
    const served = { served: 1, notFound: 0, refused: 0, overQuota: 0, overloaded: 0, failed: 0 };
    const rest = { requests: 0, p50Us: null, p95Us: null, p99Us: null, maxUs: null, outcomes: served };
    const points = [true, true, true, false].map((gap, at) => ({ ...rest, gap, atMs: at * BUCKET_MS }));
    expect(thinPoints(points, 2).map(({ gap }) => gap)).toEqual([true, false]);
  });

  it('hatch neighbouring gaps as one stretch', () => {
    fc.assert(
      fc.property(anyPoints, (points) => {
        const spans = gapSpans(points, BUCKET_MS);
        for (const { atMs, gap } of points)
          expect(spans.some(({ fromMs, toMs }) => fromMs <= atMs && atMs < toMs)).toBe(gap);
        for (const [at, span] of spans.entries())
          expect(span.fromMs).toBeGreaterThan(spans[at - 1]?.toMs ?? Number.NEGATIVE_INFINITY);
      }),
    );
  });
});
