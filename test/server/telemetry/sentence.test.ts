import { describe, expect, it } from 'vitest';
import type { TenantLatency } from '#server/contract/latency.ts';
import { msWords, type SentenceFacts, sentenceOf } from '#server/telemetry/sentence.ts';

const FROM = Date.UTC(2026, 10, 30, 13, 0, 0);
const MINUTE = 60_000;

function facts(p99Ms: readonly (number | null)[], more: Partial<SentenceFacts> = {}): SentenceFacts {
  const points = p99Ms.map((ms, at): TenantLatency['points'][number] => ({
    atMs: FROM + at * MINUTE,
    requests: ms === null ? 0 : 2_000,
    p50Us: null,
    p95Us: null,
    p99Us: ms === null ? null : ms * 1_000,
    maxUs: null,
    gap: false,
    outcomes: { served: 0, notFound: 0, refused: 0, overQuota: 0, overloaded: 0, failed: 0 },
  }));
  const requests = points.reduce((sum, point) => sum + point.requests, 0);
  return {
    points,
    markers: [],
    requests,
    p99Us: requests === 0 ? null : 31_000,
    targetP99Ms: null,
    outcome: 'served',
    fromMs: FROM,
    toMs: FROM + p99Ms.length * MINUTE,
    bucketMs: MINUTE,
    ...more,
  };
}

const release = (number: number, minute: number): TenantLatency['markers'][number] => ({
  release: number,
  cause: '∆30',
  publishedMs: FROM + minute * MINUTE - 1_000,
  firstMs: FROM + minute * MINUTE,
  isRollback: false,
  allLiveMs: FROM + minute * MINUTE + 500,
});

const calm = (count: number) => Array<number>(count).fill(31);
const raised = (count: number) => Array<number>(count).fill(147);

describe('the sentence over a latency chart', () => {
  it('says when p99 rose, which release became active then, and when it fell', () => {
    const rise = facts([...calm(20), ...raised(10), ...calm(20)], { markers: [release(42, 20), release(43, 30)] });
    expect(sentenceOf(rise)).toBe(
      'p99 rose from 31 to 147 ms at 13:20 UTC, when r42 became active, and fell at 13:30 UTC, when r43 became active.',
    );
  });

  it('names no release that became active at another time', () => {
    expect(sentenceOf(facts([...calm(20), ...raised(10)], { markers: [release(42, 5)] }))).toBe(
      'p99 rose from 31 to 147 ms at 13:20 UTC.',
    );
  });

  it('never says because', () => {
    const rise = facts([...calm(5), ...raised(5)], { markers: [release(2, 5)] });
    expect(sentenceOf(rise)).not.toMatch(/because|due to|caused/);
  });

  it('a fall from the start of the window is a fall', () => {
    expect(sentenceOf(facts([...raised(10), ...calm(10)]))).toBe('p99 fell from 147 to 31 ms at 13:10 UTC.');
  });

  it('one raised bucket is no change', () => {
    expect(sentenceOf(facts([...calm(10), 900, ...calm(10)]))).toBe('p99 is 31 ms over 42,000 served requests.');
  });

  it('compares with the target when there is one', () => {
    expect(sentenceOf(facts(calm(5), { targetP99Ms: 50 }))).toMatch(/, within its target of 50 ms\.$/);
    expect(sentenceOf(facts(calm(5), { targetP99Ms: 20 }))).toMatch(/, above its target of 20 ms\.$/);
  });

  it('too few requests: says how many it needs', () => {
    expect(sentenceOf(facts(calm(1), { requests: 37, p99Us: null }))).toBe('37 served requests; p99 needs 1,000.');
    expect(sentenceOf(facts(calm(1), { requests: 1, p99Us: null }))).toBe('1 served request; p99 needs 1,000.');
  });

  it('tells no requests from no data', () => {
    const none = facts([null, null]);
    expect(sentenceOf(none)).toBe('No served requests between 13:00 and 13:02 UTC.');
    const dark = { ...none, points: none.points.map((point) => ({ ...point, gap: true })) };
    expect(sentenceOf(dark)).toBe('No data between 13:00 and 13:02 UTC: no gateway reported.');
  });

  it('names the day when the window spans more than one', () => {
    const long = facts([...calm(5), ...raised(5)], { toMs: FROM + 3 * 86_400_000 });
    expect(sentenceOf(long)).toContain('at 2026-11-30 13:05 UTC');
  });

  it('figures carry no digits that mean nothing', () => {
    expect([147_312, 9_870, 512].map(msWords)).toEqual(['147', '9.9', '0.51']);
  });
});
