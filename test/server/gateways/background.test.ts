import { beforeEach, describe, expect, it } from 'vitest';
import { BackgroundReport, type RangeReport, type WaitingEntry } from '#gateway/contract/background.ts';
import { BackgroundQuery } from '#server/contract/background.ts';
import type { Role } from '#server/contract/people.ts';
import { readStored } from '#server/db/stored-sums.ts';
import { listBackground } from '#server/gateways/list-background.ts';
import { takeBackground } from '#server/gateways/take-background.ts';
import { tryAgain } from '#server/gateways/try-again.ts';
import { refusal } from '#test/server/console.ts';
import { NOON, openBareConsole } from '#test/support/bare-console.ts';
import { callMachine } from '#test/support/machine.ts';

const test = await openBareConsole();
const { db, clock } = test;

beforeEach(async () => {
  clock.nowMs = NOON;
  await db.$executeRaw`TRUNCATE background_range, background_entry, stored_sum, audit_event, definition`;
});

function entry(
  id: string,
  over: Partial<WaitingEntry> = {},
  summary: Partial<WaitingEntry['summary']> = {},
): WaitingEntry {
  return {
    ref: { pk: 'chat|User|ann', id },
    summary: {
      ...{ kind: 'pairs', tenant: 'chat', type: 'User', objectId: 'ann', items: 1, atMs: NOON - 60_000 },
      edge: { edgeType: 'memberOf', inverse: 'members', to: 'r1' },
      ...summary,
    },
    ...{ failures: 0, nextAtMs: NOON + 1_000, parkedAtMs: null },
    reason: { code: 'store_unavailable', message: 'Cosmos DB cannot be reached.' },
    ...over,
  };
}

async function report(over: Partial<RangeReport> = {}, gateway = 'gw-a') {
  const range = {
    range: 'feed-0',
    term: 1,
    lagMs: 0,
    repaired: 0,
    problem: null,
    isWhole: true,
    waiting: [],
    ended: [],
  };
  const body = { ranges: [{ ...range, ...over }] };
  const reply = await callMachine(test, { schema: BackgroundReport, verb: takeBackground, gateway, body });
  expect(reply.status).toBe(200);
  return reply.json();
}

const ctxOf = (roles: readonly Role[] = ['operator'], teams: readonly string[] = []) =>
  test.ctxOf({ id: 'olga', name: 'Olga Ek', roles, teams });
const list = (query: object = {}, ctx = ctxOf()) => listBackground(ctx, BackgroundQuery.parse(query));
const one = (id: string) => ({ id, list: 'parked' as const });
const all = (which: 'parked' | 'drift') => ({ id: null, list: which });
const ids = async (query: object = {}) => (await list(query)).items.map(({ id }) => id);

describe('what gateways tell', () => {
  it('is listed with its reason, and repeating it changes nothing', async () => {
    await report({ waiting: [entry('x~1')] });
    await report({ waiting: [entry('x~1')] });
    const page = await list();
    expect(page.items).toEqual([
      {
        ...entry('x~1').summary,
        ...{ id: 'x~1', failures: 0, nextAtMs: NOON + 1_000, parkedAtMs: null, isAsked: false },
        reason: { code: 'store_unavailable', message: 'Cosmos DB cannot be reached.' },
      },
    ]);
    expect(page.counts).toEqual({ waiting: 1, parked: 0, sweeps: 0, drift: 0 });
    expect(page.ranges).toEqual([
      expect.objectContaining({ range: 'feed-0', gateway: 'gw-a', lagMs: 0, isSilent: false, reportedAtMs: NOON }),
    ]);
  });

  it('goes when it ended, and moves to its list when it is parked', async () => {
    await report({ waiting: [entry('x~1'), entry('x~2'), entry('x~3', {}, { kind: 'sweep', edge: null, items: 97 })] });
    await report({ waiting: [entry('x~2', { failures: 20, parkedAtMs: NOON })], ended: [entry('x~1').ref] });
    expect([await ids(), await ids({ list: 'parked' }), await ids({ list: 'sweeps' })]).toEqual([[], ['x~2'], ['x~3']]);
  });

  it('of a sweep that ended leaves a row of the gateway in the log, with how many edges went', async () => {
    const sweep = (items: number) => entry('x~1', {}, { kind: 'sweep', edge: null, items });
    await report({ waiting: [sweep(97), entry('x~2')] });
    await report({ waiting: [sweep(1_940)] });
    await report({ ended: [sweep(0).ref, entry('x~2').ref] });
    await report({ ended: [sweep(0).ref] });
    expect(await db.auditEvent.findMany()).toEqual([
      expect.objectContaining({
        ...{ actor: 'gw-a', actorKind: 'gateway', did: 'swept', tenant: 'chat', release: null, outcome: 'done' },
        ...{ what: 'the edges of User ann, 1940 or more', because: 'User ann was deleted' },
      }),
    ]);
  });

  it('of an earlier holder is ignored, and what a later one does not name is over', async () => {
    await report({ waiting: [entry('x~1'), entry('x~2')] });
    await report({ term: 2, isWhole: false, waiting: [entry('x~2')] }, 'gw-b');
    expect((await ids()).sort()).toEqual(['x~1', 'x~2']);
    await report({ term: 2, waiting: [] }, 'gw-b');
    expect(await ids()).toEqual(['x~2']);
    await report({ term: 1, waiting: [entry('x~late')] });
    expect(await ids()).toEqual(['x~2']);
    expect((await list()).ranges[0]?.gateway).toBe('gw-b');
  });

  it('says which ranges were not heard of lately', async () => {
    await report();
    clock.nowMs = NOON + 60_000;
    expect((await list()).ranges[0]?.isSilent).toBe(true);
  });

  it('is paged: ten thousand entries, each once', async () => {
    await report({ waiting: [entry('x~1')] });
    await db.$executeRaw`
      INSERT INTO background_entry SELECT 'x~' || n, pk, range, term, kind, tenant, type, object_id, edge_type, inverse,
        to_id, items, at - (n % 100) * interval '1 ms', failures, next_at, reason_code, reason, parked_at, again_at
      FROM background_entry, generate_series(2, 10000) AS n`;
    const seen = new Set<string>();
    let cursor: string | undefined;
    do {
      const page = await list({ limit: 200, ...(cursor === undefined ? {} : { cursor }) });
      for (const { id } of page.items) seen.add(id);
      expect(page.total).toBe(10_000);
      cursor = page.next;
    } while (cursor !== undefined);
    expect(seen.size).toBe(10_000);
  });

  it('is shown to those who may see the traffic of its tenant', async () => {
    await report({ waiting: [entry('x~1')] });
    expect((await list({}, ctxOf(['viewer'], ['search']))).items).toEqual([]);
    expect((await list({}, ctxOf(['viewer'], ['search']))).counts.waiting).toBe(0);
    expect((await list({}, ctxOf(['auditor']))).items).toHaveLength(1);
  });
});

describe('what is stored', () => {
  const count = (
    range: string,
    sums: { tenant: string; type: string; count: number; bytes: number }[],
    asOfMs = NOON,
  ) => report({ range, stored: { asOfMs, sums } });
  const chat = (type: string, many: number) => ({ tenant: 'chat', type, count: many, bytes: many * 100 });

  it('is the sum over ranges, each counted absolutely, and of the age of the oldest', async () => {
    await count('feed-0', [chat('User', 3), { ...chat('User', 2), tenant: 'search' }], NOON - 60_000);
    await count('feed-1', [chat('User', 4), chat('members', 9)]);
    expect(await readStored(db, 'User')).toEqual({
      count: 9,
      bytes: 900,
      largestBytes: null,
      longestList: null,
      asOfMs: NOON - 60_000,
    });
    expect(await readStored(db, 'User', 'chat')).toMatchObject({ count: 7 });
    await count('feed-0', [chat('User', 1)], NOON + 1);
    expect(await readStored(db, 'User')).toEqual({
      count: 5,
      bytes: 500,
      largestBytes: null,
      longestList: null,
      asOfMs: NOON,
    });
    expect(await readStored(db, 'Message')).toMatchObject({ count: 0 });
  });

  it('is not told before every range was counted', async () => {
    await count('feed-0', [chat('User', 3)]);
    await report({ range: 'feed-1' });
    expect(await readStored(db, 'User')).toBeNull();
  });
});

describe('another try', () => {
  beforeEach(async () => {
    await report({ waiting: [entry('x~1', { failures: 20, parkedAtMs: NOON }), entry('x~2', { parkedAtMs: NOON })] });
  });

  it('is told the gateway once, with its next report, and leaves a row in the log', async () => {
    expect(await tryAgain(ctxOf(), one('x~1'))).toEqual({ asked: 1 });
    const [asked] = (await list({ list: 'parked' })).items.filter(({ id }) => id === 'x~1');
    expect(asked?.isAsked).toBe(true);
    expect(await report()).toEqual({ again: [{ range: 'feed-0', ref: { pk: 'chat|User|ann', id: 'x~1' } }] });
    expect(await report()).toEqual({ again: [] });
    expect(await db.auditEvent.findMany()).toEqual([
      expect.objectContaining({
        ...{ actor: 'Olga Ek', did: 'asked for another try of', tenant: 'chat' },
        what: 'the inverse of User ann —memberOf→ r1',
      }),
    ]);
  });

  it('of all that are parked is one act, and none is left to ask for afterwards', async () => {
    expect(await tryAgain(ctxOf(['admin']), all('parked'))).toEqual({ asked: 2 });
    expect(await tryAgain(ctxOf(['admin']), all('parked'))).toEqual({ asked: 0 });
    expect((await report()).again).toHaveLength(2);
    expect((await db.auditEvent.findMany()).map(({ what }) => what)).toEqual(['all 2 parked entries']);
  });

  it('is refused to others, and for what is finished', async () => {
    expect((await refusal(Promise.resolve().then(() => tryAgain(ctxOf(['engineer']), one('x~1'))))).code).toBe(
      'not_permitted',
    );
    expect((await refusal(tryAgain(ctxOf(), one('x~gone')))).code).toBe('not_found');
    expect(await db.auditEvent.count()).toBe(0);
    expect((await list({}, ctxOf(['engineer']))).canAct).toBe(false);
  });
});

describe('an object that drifted', () => {
  const drift = {
    counts: [{ edgeType: 'memberOf', counted: 3, listed: 2 }],
    bytes: null,
    inverses: [{ edgeType: 'memberOf', from: 'ann', to: 'r1', what: 'missing' as const }],
  };
  const drifted = (id: string, over: Partial<typeof drift> = {}) =>
    entry(
      id,
      { parkedAtMs: NOON, reason: null },
      { kind: 'drift', edge: null, items: 2, drift: { ...drift, ...over } },
    );

  it('has a list of its own, with what differs as of the last report', async () => {
    await report({ waiting: [drifted('d~1'), entry('x~1', { parkedAtMs: NOON })] });
    await report({ waiting: [drifted('d~1', { inverses: [] })] });
    const page = await list({ list: 'drift' });
    expect(page.items).toMatchObject([{ id: 'd~1', kind: 'drift', drift: { ...drift, inverses: [] } }]);
    expect(page.counts).toEqual({ waiting: 0, parked: 1, sweeps: 0, drift: 1 });
    expect(await ids({ list: 'parked' })).toEqual(['x~1']);
  });

  it('is recounted when somebody asks, which the log says, and not along with parked entries', async () => {
    await report({ waiting: [drifted('d~1'), drifted('d~2'), entry('x~1', { parkedAtMs: NOON })] });
    expect(await tryAgain(ctxOf(), all('parked'))).toEqual({ asked: 1 });
    expect(await report()).toEqual({ again: [{ range: 'feed-0', ref: { pk: 'chat|User|ann', id: 'x~1' } }] });
    expect(await tryAgain(ctxOf(), one('d~1'))).toEqual({ asked: 1 });
    expect(await report()).toEqual({ again: [{ range: 'feed-0', ref: { pk: 'chat|User|ann', id: 'd~1' } }] });
    expect(await tryAgain(ctxOf(), all('drift'))).toEqual({ asked: 2 });
    expect((await db.auditEvent.findMany({ orderBy: { id: 'asc' } })).map(({ did, what }) => `${did} ${what}`)).toEqual(
      [
        'asked for another try of the only parked entry',
        'asked for a recount of User ann',
        'asked for a recount of all 2 objects that drifted',
      ],
    );
  });
});
