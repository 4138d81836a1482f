import { beforeEach, expect, it } from 'vitest';
import { BackgroundReport, type EntryRef, type WaitingEntry } from '#gateway/contract/background.ts';
import type { RangeStatus } from '#gateway/feed/range-worker.ts';
import { createReporting } from '#gateway/feed/report.ts';
import type { ConsoleAnswer } from '#gateway/release/console-client.ts';
import { createClock } from './feed-fixture.ts';

let sent: BackgroundReport[] = [];
let again: { range: string; ref: EntryRef }[] = [];
let isAway = false;
let status: RangeStatus;
let asked: string[] = [];
let counted: { asOfMs: number; sums: [] } | null = null;
const clock = createClock();

const client = {
  get: async (): Promise<ConsoleAnswer> => ({ kind: 'away', message: 'not asked here' }),
  post: async (path: string, body: unknown): Promise<ConsoleAnswer> => {
    expect(path).toBe('background');
    if (isAway) return { kind: 'away', message: 'away' };
    sent.push(BackgroundReport.parse(body));
    return { kind: 'ok', status: 200, etag: null, body: Buffer.from(JSON.stringify({ again })) };
  },
};
const worker = { ranges: () => [status], tryAgain: (range: string, ref: EntryRef) => asked.push(`${range} ${ref.id}`) };

function entry(id: string, failures = 0): WaitingEntry {
  const summary = { tenant: 'chat', type: 'User', objectId: 'ann', edge: null, items: 1, atMs: 1 };
  const rest = { failures, nextAtMs: clock.now(), reason: null, parkedAtMs: null };
  return { ref: { pk: 'chat|User|ann', id }, summary: { kind: 'pairs', ...summary }, ...rest };
}

beforeEach(() => {
  sent = [];
  again = [];
  asked = [];
  isAway = false;
  counted = null;
  status = { range: 'feed-0', term: 1, lagMs: 0, waiting: [], repaired: 0, problem: null };
});

const start = () => createReporting({ worker, client, stored: () => counted, now: clock.now });
async function tick(reporting: ReturnType<typeof start>) {
  clock.pass(5_000);
  await reporting.tick();
  return sent.at(-1)?.ranges[0];
}

it('tells all that waits once, then what changed and what ended, and all of it again in a new term', async () => {
  const reporting = start();
  status = { ...status, waiting: [entry('x~1'), entry('x~2')] };
  expect(await tick(reporting)).toMatchObject({
    isWhole: true,
    waiting: [{ ref: { id: 'x~1' } }, { ref: { id: 'x~2' } }],
  });
  expect(await tick(reporting)).toMatchObject({ waiting: [], ended: [] });
  status = { ...status, waiting: [entry('x~2', 1)] };
  expect(await tick(reporting)).toMatchObject({ waiting: [{ failures: 1 }], ended: [{ id: 'x~1' }] });
  status = { ...status, term: 2 };
  expect(await tick(reporting)).toMatchObject({ term: 2, waiting: [{ ref: { id: 'x~2' } }] });
});

it('tells again what the console did not take', async () => {
  const reporting = start();
  status = { ...status, waiting: [entry('x~1')] };
  isAway = true;
  expect(await tick(reporting)).toBeUndefined();
  isAway = false;
  expect(await tick(reporting)).toMatchObject({ waiting: [{ ref: { id: 'x~1' } }] });
});

it('tells more than one report takes in several, and is whole with the last', async () => {
  const reporting = start();
  status = { ...status, waiting: Array.from({ length: 2_300 }, (_, at) => entry(`x~${at}`)) };
  const reports = [await tick(reporting), await tick(reporting), await tick(reporting)];
  expect(reports.map((report) => [report?.waiting.length, report?.isWhole])).toEqual([
    [1_000, false],
    [1_000, false],
    [300, true],
  ]);
});

it('hands on what is to be tried again, and tells a count of the store once', async () => {
  const reporting = start();
  again = [{ range: 'feed-0', ref: { pk: 'chat|User|ann', id: 'x~1' } }];
  counted = { asOfMs: 7, sums: [] };
  expect(await tick(reporting)).toMatchObject({ stored: { asOfMs: 7 } });
  expect(asked).toEqual(['feed-0 x~1']);
  expect(await tick(reporting)).not.toHaveProperty('stored');
});
