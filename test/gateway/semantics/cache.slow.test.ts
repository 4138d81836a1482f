import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { destroyKeys } from '#gateway/content/acts/destroy-keys.ts';
import { createMasterWrapping } from '#gateway/content/keys/master-key.ts';
import { TenantName } from '#gateway/contract/ids.ts';
import { eventually } from '#test/gateway/fixtures/eventually.ts';
import type { Fate } from '#test/support/faulty-proxy.ts';
import { type Call, type Fleet, type Reply, SHORT_TTL_MS, startFleet } from './fleet.ts';

// Two gateways of two workers each, before two regions; `a` reads nearest in West, writes go to East.

const ACCOUNT = 'habitat-local';
let fleet: Fleet;
let a: Call;
let b: Call;
beforeAll(async () => {
  const regions = ['East', 'West'].map((name) => ({ name, port: 0 }));
  const accounts = [{ name: ACCOUNT, regions, partitionRuPerSecond: null }];
  fleet = await startFleet({ accounts }, { COSMOS_REGIONS: 'West,East', GATEWAY_WORKERS: '2' });
  a = fleet.a.call;
  b = fleet.b.call;
});
afterEach(async () => {
  fleet.proxy.decide(() => ({ kind: 'pass' }));
  await fleet.cosmos.faults.clear();
  // A breaker that opened closes once the region answers; a delete needs no key.
  await eventually('writes pass', async () => (await a('DELETE', '/objects/Message/none')).code === null);
});
afterAll(() => fleet?.stop());

const profile = (id: string) => `/objects/Profile/${id}`;
const servedFrom = ({ headers }: Reply) => headers.get('habitat-served-from');
const eight = <T>(of: () => Promise<T>) => Promise.all(Array.from({ length: 8 }, of));

/** Asks until both workers have it: of so many requests at once each gets some. */
async function warm(call: Call, path: string): Promise<void> {
  await eventually(`${path} comes from every cache`, async () =>
    (await eight(() => call('GET', path))).every((reply) => servedFrom(reply) === 'cache'),
  );
}

test('T9: whichever worker answers, a read after a write through the same gateway sees it, from warm caches', async () => {
  const follows = `${profile('t9')}/edges/follows`;
  for (let n = 0; n < 12; n += 1) {
    expect((await a('PUT', profile('t9'), { body: `${n}` })).code).toBeNull();
    expect((await a('PUT', `${follows}/f${n}`, { body: JSON.stringify({ time: n }) })).code).toBeNull();
    const objects = await eight(() => a('GET', profile('t9')));
    expect(objects.map(({ text }) => text)).toEqual(objects.map(() => `${n}`));
    const counts = await eight(() => a('GET', `${follows}:count`));
    expect(counts.map(({ body }) => body.count)).toEqual(counts.map(() => n + 1));
    const lists = await eight(() => a('GET', `${follows}?limit=2`));
    expect(lists.map(({ body }) => body.edges[0].toId)).toEqual(lists.map(() => `f${n}`));
    const inverses = await eight(() => a('GET', `${profile(`f${n}`)}/edges/followedBy/t9`));
    expect(inverses.map(({ code }) => code)).toEqual(inverses.map(() => null));
    for (const path of [profile('t9'), `${follows}:count`, `${follows}?limit=2`]) await warm(a, path);
  }
});

test('T9: without its session another gateway shows a write late, and never later than the time to live', async () => {
  const path = '/objects/Flash/late';
  const written: { readonly n: number; readonly atMs: number }[] = [];
  let isOver = false;
  const writing = (async () => {
    for (let n = 0; n < 60; n += 1) {
      const put = await a('PUT', path, { body: `${n}` });
      if (put.code === null) written.push({ n, atMs: performance.now() });
      await pause(40);
    }
    isOver = true;
  })();
  let [reads, stale, kept] = [0, 0, 0];
  while (!isOver) {
    const askedMs = performance.now();
    const reply = await b('GET', path);
    if (reply.code === null) {
      const shown = Number(reply.text);
      const due = written.findLast(({ atMs }) => atMs <= askedMs - SHORT_TTL_MS)?.n ?? -1;
      expect(shown).toBeGreaterThanOrEqual(due);
      reads += 1;
      if (shown < (written.findLast(({ atMs }) => atMs <= askedMs)?.n ?? -1)) stale += 1;
      if (servedFrom(reply) === 'cache') kept += 1;
    }
    await pause(10);
  }
  await writing;
  // It was a cache that was measured: some reads came from it, and some of those were late.
  expect([reads > 0, kept > 0, stale > 0]).toEqual([true, true, true]);
});

test('T11: what a region that lags answers is not kept, also for a caller who would take it', async () => {
  await a('PUT', profile('lag'), { body: 'old' });
  await warm(a, profile('lag'));
  fleet.cosmos.faults.add({ account: ACCOUNT, region: 'West', effect: { kind: 'lag', lagMs: null } });
  await a('PUT', profile('lag'), { body: 'new' });
  const headers = { 'habitat-consistency': 'eventual' };
  // It does lag: whoever knows nothing of the write is shown the state before it.
  expect((await b('GET', profile('lag'), { headers })).text).toBe('old');
  for (let n = 0; n < 3; n += 1) {
    const replies = [
      ...(await eight(() => a('GET', profile('lag'), { headers }))),
      ...(await eight(() => a('GET', profile('lag')))),
    ];
    expect(replies.map(({ text }) => text)).toEqual(replies.map(() => 'new'));
  }
});

test('T11: a write whose outcome is unknown and which comes late is seen as soon as it is there', async () => {
  await a('PUT', profile('unknown'), { body: 'old' });
  await warm(a, profile('unknown'));
  const late = Promise.withResolvers<void>();
  let isDelivered = false;
  const deliverLate: Fate = {
    kind: 'deliver late',
    until: late.promise,
    delivered: () => {
      isDelivered = true;
    },
  };
  // The first batch takes it for a new object, and is refused.
  fleet.decideBatches('chat|Profile|unknown', (nth) => (nth === 0 ? undefined : deliverLate));
  const put = await a('PUT', profile('unknown'), { body: 'new', headers: { 'habitat-deadline-ms': '600' } });
  expect(put.code).toBe('outcome_unknown');
  const look = async () => (await eight(() => a('GET', profile('unknown')))).map(({ text }) => text);
  expect(await look()).toEqual(Array.from({ length: 8 }, () => 'old'));
  late.resolve();
  await eventually('the write arrives', () => isDelivered);
  await eventually('somebody sees it', async () => (await look()).includes('new'));
  for (let n = 0; n < 3; n += 1) expect(await look()).toEqual(Array.from({ length: 8 }, () => 'new'));
});

test('T11: a fill that began before a write is not kept beside what the write left', async () => {
  await a('PUT', profile('t11'), { body: 'old' });
  const release = Promise.withResolvers<void>();
  let answered = 0;
  const onAnswer = () => {
    answered += 1;
  };
  fleet.proxy.decide(({ method, partition }) =>
    partition === 'chat|Profile|t11' && method === 'GET'
      ? { kind: 'hold reply', until: release.promise, answered: onAnswer }
      : { kind: 'pass' },
  );
  // West is behind no proxy: what is read there passes it by.
  fleet.cosmos.faults.add({ account: ACCOUNT, region: 'West', effect: { kind: 'refuse' } });
  const early = eight(() => a('GET', profile('t11')));
  await eventually('the fills have read', () => answered >= 1);
  expect((await a('PUT', profile('t11'), { body: 'new' })).code).toBeNull();
  fleet.proxy.decide(() => ({ kind: 'pass' }));
  release.resolve();
  await early;
  for (let n = 0; n < 3; n += 1) {
    const texts = (await eight(() => a('GET', profile('t11')))).map(({ text }) => text);
    expect(texts).toEqual(texts.map(() => 'new'));
  }
});

test('T9: through another gateway a read sees the write whose session it carries, whatever is kept there', async () => {
  // A session names the account as its gateway reaches it: both without a proxy.
  await fleet.a.restart({ COSMOS_ENDPOINT: fleet.cosmos.url });
  for (let n = 0; n < 8; n += 1) {
    await a('PUT', profile('carried'), { body: `${n - 1}` });
    await warm(b, profile('carried'));
    const put = await a('PUT', profile('carried'), { body: `${n}` });
    const headers = { 'habitat-session': put.headers.get('habitat-session') ?? '' };
    const replies = await eight(() => b('GET', profile('carried'), { headers }));
    expect(replies.map(({ text }) => text)).toEqual(replies.map(() => `${n}`));
  }
});

test('content that is kept goes with its key', async () => {
  await a('PUT', profile('secret'), { body: 'secret' });
  await warm(a, profile('secret'));
  const place = { keysDir: fleet.keysDir, wrapping: createMasterWrapping(fleet.keysDir) };
  await destroyKeys(place, TenantName.parse('chat'), Date.now());
  fleet.moveClock(60_000);
  const replies = [
    ...(await eight(() => a('GET', profile('secret')))),
    ...(await eight(() => b('GET', profile('secret')))),
  ];
  expect(replies.map(({ code }) => code)).toEqual(replies.map(() => 'key_unavailable'));
});
