import { describe, expect, it } from 'vitest';
import { indexSentence } from '#components/latency/index-sentence.ts';
import { liveUrl, pinnedUrl, readScope, scopeQuery } from '#components/latency/latency-scope.ts';
import { nextPollMs } from '#components/latency/live-poll.ts';
import { sentenceParts } from '#components/latency/sentence-parts.ts';

const HOUR = 3_600_000;
const FROM = Date.UTC(2026, 10, 30, 13, 0);

describe('the sentence of a latency page', () => {
  it('links releases, and reads its moments as moments of the time on screen', () => {
    const parts = sentenceParts('p99 rose from 31 to 147 ms at 13:37 UTC, when r42 became active.', FROM);
    expect(parts).toEqual([
      { kind: 'text', text: 'p99 rose from ' },
      { kind: 'figure', text: '31 to 147\u00a0ms' },
      { kind: 'text', text: ' at ' },
      { kind: 'moment', atMs: FROM + 37 * 60_000 },
      { kind: 'text', text: ', when ' },
      { kind: 'release', release: 42 },
      { kind: 'text', text: ' became active.' },
    ]);
  });

  it('knows that a time before the first one is of the next day', () => {
    const late = Date.UTC(2026, 10, 30, 23, 30);
    const moments = sentenceParts('No served requests between 23:30 and 00:30 UTC.', late).filter(
      (part) => part.kind === 'moment',
    );
    expect(moments.map(({ atMs }) => atMs)).toEqual([late, late + HOUR]);
  });

  it('reads a day that is named', () => {
    const [, moment] = sentenceParts('p99 fell from 9 to 4 ms at 2026-11-28 08:10 UTC.', FROM).filter(
      (part) => part.kind !== 'text',
    );
    expect(moment).toEqual({ kind: 'moment', atMs: Date.UTC(2026, 10, 28, 8, 10) });
  });
});

describe('the scope of a latency page', () => {
  const scopeOf = (query: string) => readScope(new URLSearchParams(query));

  it('is the last hour of served requests, live, when the URL says nothing', () => {
    expect(scopeQuery(scopeOf(''))).toEqual({ range: '1h', operation: 'all', gateway: 'all', outcome: 'served' });
    expect(scopeOf('').isLive).toBe(true);
  });

  it('falls back where the URL says what nobody knows', () => {
    expect(scopeOf('operation=drop&outcome=fine&range=2w')).toEqual(scopeOf(''));
  });

  it('never follows the clock between two moments', () => {
    expect(scopeOf(`from=${FROM}&to=${FROM + HOUR}`).isLive).toBe(false);
    expect(scopeOf('range=6h&live=off').isLive).toBe(false);
  });

  it('copies a link that shows the same minutes later, and one that shows the newest', () => {
    const href = 'http://localhost/latency/chat?range=1h&operation=edge.list&live=off';
    expect(pinnedUrl(href, { fromMs: FROM, toMs: FROM + HOUR })).toBe(
      `http://localhost/latency/chat?operation=edge.list&from=${FROM}&to=${FROM + HOUR}`,
    );
    const pinned = new URL(pinnedUrl(href, { fromMs: FROM, toMs: FROM + HOUR })).searchParams;
    expect(scopeQuery(readScope(pinned))).toMatchObject({ fromMs: FROM, toMs: FROM + HOUR });
    expect(liveUrl(`${href}&from=1&to=2`, '1h')).toBe('http://localhost/latency/chat?range=1h&operation=edge.list');
  });
});

describe('a live chart', () => {
  it('asks once per bucket, after its end has arrived', () => {
    for (let nowMs = FROM; nowMs < FROM + 60_000; nowMs += 1_300) {
      const askedMs = nowMs + nextPollMs(nowMs, 10_000, 0);
      expect(askedMs % 10_000).toBe(6_000);
      expect(askedMs - nowMs).toBeLessThanOrEqual(10_000);
    }
  });

  it('asks no more than once a minute when buckets are long, and not all at once', () => {
    expect(nextPollMs(FROM + 6_000, 3_600_000, 0)).toBe(60_000);
    expect(nextPollMs(FROM + 6_000, 10_000, 1) - nextPollMs(FROM + 6_000, 10_000, 0)).toBe(2_000);
  });
});

describe('the sentence of the list of tenants', () => {
  const row = (tenant: string, p99Us: number | null, usualP99Us: number | null, targetP99Ms: number | null = null) => ({
    tenant,
    p99Us,
    usualP99Us,
    targetP99Ms,
    requests: 5_000,
    perSecond: 1,
    refusedShare: 0,
    spark: [],
  });

  it('names the tenant that is slower than usual', () => {
    expect(indexSentence([row('chat', 147_000, 31_000), row('search', 9_000, 9_000)])).toBe(
      'chat is slower than usual: p99 147\u00a0ms, usual 31\u00a0ms.',
    );
  });

  it('says nothing unusual only when it can know', () => {
    expect(indexSentence([row('chat', 32_000, 31_000)])).toBe('Nothing unusual.');
    expect(indexSentence([row('chat', 32_000, null)])).toMatch(/^Nothing to compare with yet/);
    expect(indexSentence([row('chat', null, 31_000)])).toMatch(/^Too few requests/);
    expect(indexSentence([])).toBe('No requests in this time.');
  });

  it('names a target that is missed although it is usual', () => {
    expect(indexSentence([row('chat', 60_000, 59_000, 50)])).toBe(
      'chat is above its target: p99 60\u00a0ms, target 50\u00a0ms.',
    );
  });

  it('takes a fraction of a millisecond for noise', () => {
    expect(indexSentence([row('chat', 900, 300)])).toBe('Nothing unusual.');
  });
});
