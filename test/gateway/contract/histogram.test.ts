import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  BUCKET_COUNT,
  boundsOf,
  bucketOf,
  countOf,
  MAX_US,
  mergeHistograms,
  quantileOf,
  RELATIVE_ERROR,
} from '#gateway/contract/histogram.ts';
import type { SparseHistogram } from '#gateway/contract/telemetry.ts';

const durations = fc.array(fc.oneof(fc.integer({ min: 0, max: 200 }), fc.integer({ min: 0, max: MAX_US })), {
  minLength: 1,
  maxLength: 400,
});

const histogramOf = (values: readonly number[]): SparseHistogram =>
  mergeHistograms(values.map((value) => [[bucketOf(value), 1]]));

test('every duration lies inside its bucket, and buckets meet without gap or overlap', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: MAX_US }), (us) => {
      const { fromUs, toUs } = boundsOf(bucketOf(us));
      expect(us).toBeGreaterThanOrEqual(fromUs);
      expect(us).toBeLessThan(toUs);
    }),
  );
  for (let index = 1; index < BUCKET_COUNT; index++) expect(boundsOf(index).fromUs).toBe(boundsOf(index - 1).toUs);
  expect(bucketOf(MAX_US)).toBe(BUCKET_COUNT - 1);
  expect(bucketOf(MAX_US * 10)).toBe(BUCKET_COUNT - 1);
});

test('a percentile is within the stated error of the exact one and never above the largest value', () => {
  fc.assert(
    fc.property(durations, fc.constantFrom(0.5, 0.95, 0.99, 1), (values, p) => {
      const sorted = [...values].sort((a, b) => a - b);
      const exact = sorted[Math.max(1, Math.ceil(p * sorted.length)) - 1] ?? 0;
      const max = sorted.at(-1) ?? 0;
      const estimate = quantileOf(histogramOf(values), p, max) ?? Number.NaN;
      expect(estimate).toBeLessThanOrEqual(max);
      expect(Math.abs(estimate - exact)).toBeLessThanOrEqual(exact * RELATIVE_ERROR);
    }),
  );
});

test('merging the parts gives the histogram of the whole, in any order', () => {
  fc.assert(
    fc.property(durations, durations, (a, b) => {
      const whole = histogramOf([...a, ...b]);
      expect(mergeHistograms([histogramOf(a), histogramOf(b)])).toEqual(whole);
      expect(mergeHistograms([histogramOf(b), histogramOf(a)])).toEqual(whole);
      expect(countOf(whole)).toBe(a.length + b.length);
    }),
  );
});

test('an empty histogram has no percentile', () => {
  expect(quantileOf([], 0.5, 0)).toBeNull();
});
