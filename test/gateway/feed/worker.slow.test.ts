import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { destroyKeys } from '#gateway/content/acts/destroy-keys.ts';
import { createContent } from '#gateway/content/create-content.ts';
import { createMasterWrapping } from '#gateway/content/keys/master-key.ts';
import { deny } from '#gateway/pipeline/denial.ts';
import type { EdgeRule, ObjectKey } from '#gateway/pipeline/store-port.ts';
import {
  author,
  authored,
  type Fixture,
  idOf,
  keyOf,
  memberOf,
  members,
  messages,
  newCall,
  servedBy,
  startFixture,
  tenant,
} from '#test/gateway/store/store-fixture.ts';
import { itemsOf, partitionOf } from '#test/gateway/store/stored-items.ts';
import { type FaultyProxy, startFaultyProxy } from '#test/support/faulty-proxy.ts';
import { createClock, openWorker, type TestWorker } from './feed-fixture.ts';

let fixture: Fixture;
let proxy: FaultyProxy;
let workers: TestWorker[] = [];
beforeAll(async () => {
  fixture = await startFixture();
  proxy = await startFaultyProxy(fixture.emulator.url);
});
afterEach(async () => {
  proxy.decide(() => ({ kind: 'pass' }));
  await fixture.emulator.faults.clear();
  // Leases go back, so that the next test's worker need not wait for them.
  for (const { worker, close } of workers) await worker.stop().then(close);
  workers = [];
});
afterAll(async () => {
  await proxy.close();
  await fixture.stop();
});

function open(options: Parameters<typeof openWorker>[1]): TestWorker {
  const opened = openWorker(fixture, options);
  workers.push(opened);
  return opened;
}

const LIST = { limit: 100, afterS: null, afterMs: null, beforeMs: null };

/** Target ids of a list, which has as many edges as its count says. */
async function targetsOf(from: ObjectKey, rule: EdgeRule): Promise<string[]> {
  const { edges } = await servedBy(fixture.store.listEdges({ from, rule }, LIST, newCall()));
  expect(await servedBy(fixture.store.countEdges({ from, rule }, newCall()))).toBe(edges.length);
  return edges.map(({ toId }) => toId).sort();
}

function put(from: ObjectKey, rule: EdgeRule, toId: string, timeMs = 1) {
  return servedBy(fixture.store.putEdge({ from, rule, toId: idOf(toId) }, { timeMs, data: null }, newCall()));
}

/** Writes as a gateway does that dies before the inverses of `targets` are written. */
async function leaveBehind(targets: readonly ObjectKey[], write: () => Promise<unknown>): Promise<void> {
  for (const target of targets) {
    const effect = { kind: 'batchStatus', status: 413 } as const;
    fixture.emulator.faults.add({ partition: partitionOf(target), operations: ['batch'], effect });
  }
  await write();
  await fixture.emulator.faults.clear();
}

async function openEntriesOf(key: ObjectKey): Promise<string[]> {
  const items = await itemsOf(fixture.emulator, key);
  return items.filter((item) => item.id.startsWith('x~') && item.done !== true).map(({ id }) => id);
}

const waitingOf = ({ worker }: TestWorker) => worker.ranges().flatMap(({ waiting }) => waiting);

describe('an outbox entry that its gateway left open', () => {
  it('is applied after three seconds and not before, and is done then', async () => {
    const [ann, room] = [keyOf('User', 'late-ann'), keyOf('Conversation', 'late')];
    await leaveBehind([room], () => put(ann, memberOf, 'late'));
    expect(await targetsOf(room, members)).toEqual([]);
    const clock = createClock();
    const { worker } = open({ now: clock.now });
    await worker.tick();
    expect(await targetsOf(room, members)).toEqual([]);
    clock.pass(4_000);
    await worker.tick();
    expect(await targetsOf(room, members)).toEqual(['late-ann']);
    expect(await openEntriesOf(ann)).toEqual([]);
  });

  it('carries the data of the edge along, and a delete takes the inverse away', async () => {
    const [ann, room] = [keyOf('User', 'data-ann'), keyOf('Conversation', 'data')];
    const edge = { from: ann, rule: memberOf, toId: idOf('data') };
    const withData = { timeMs: 7, data: Buffer.from('joined') };
    await leaveBehind([room], () => servedBy(fixture.store.putEdge(edge, withData, newCall())));
    const clock = createClock();
    const { worker } = open({ now: clock.now });
    clock.pass(4_000);
    await worker.tick();
    const { edges } = await servedBy(fixture.store.listEdges({ from: room, rule: members }, LIST, newCall()));
    const [found] = edges;
    if (found?.data == null) throw new Error('the inverse has data');
    const opened = await fixture.content.open(found.binding, found.data);
    expect([found.timeMs, Buffer.from(opened as Uint8Array).toString()]).toEqual([7, 'joined']);
    await leaveBehind([room], () => servedBy(fixture.store.deleteEdge(edge, newCall())));
    expect(await targetsOf(room, members)).toEqual(['data-ann']);
    clock.pass(2_000);
    await worker.tick();
    clock.pass(4_000);
    await worker.tick();
    expect(await targetsOf(room, members)).toEqual([]);
  });

  it('moves the one edge of a type from its old target to its new one', async () => {
    const [message, ann, bo] = [keyOf('Message', 'one'), keyOf('User', 'one-ann'), keyOf('User', 'one-bo')];
    await put(message, author, 'one-ann');
    await leaveBehind([ann, bo], () => put(message, author, 'one-bo', 2));
    expect(await targetsOf(ann, authored)).toEqual(['one']);
    const clock = createClock();
    const { worker } = open({ now: clock.now });
    clock.pass(4_000);
    await worker.tick();
    expect([await targetsOf(ann, authored), await targetsOf(bo, authored)]).toEqual([[], ['one']]);
  });

  it('is harmless when several gateways apply it at once, and when it is applied again', async () => {
    const [ann, room] = [keyOf('User', 'twice-ann'), keyOf('Conversation', 'twice')];
    await leaveBehind([room], () => put(ann, memberOf, 'twice'));
    const [id = ''] = await openEntriesOf(ann);
    const { store } = open({ now: Date.now });
    const ref = { pk: partitionOf(ann), id };
    const ends = await Promise.all(Array.from({ length: 5 }, () => store.applyEntry(ref)));
    expect(ends.map(({ kind }) => kind)).toContain('done');
    expect(await store.applyEntry(ref)).toEqual({ kind: 'done' });
    expect(await targetsOf(room, members)).toEqual(['twice-ann']);
  });
});

it('a sweep that its gateway left behind ends', async () => {
  const from = keyOf('Conversation', 'swept');
  await Promise.all(Array.from({ length: 120 }, (_, at) => put(from, messages, `m${at}`)));
  const dying = fixture.another(proxy.url);
  let batches = 0;
  proxy.decide(({ isBatch }) => {
    if (isBatch) batches += 1;
    return batches > 1 ? { kind: 'lose' } : { kind: 'pass' };
  });
  await dying.deleteObject(from, { ifMatch: null, mirrored: [] }, newCall({ deadlineAtMs: Date.now() + 500 }));
  expect(await openEntriesOf(from)).toHaveLength(1);
  const { worker } = open({ now: () => Date.now() + 10_000 });
  await expect.poll(() => worker.tick().then(() => openEntriesOf(from)), { timeout: 30_000 }).toEqual([]);
  await put(from, messages, 'fresh');
  expect(await targetsOf(from, messages)).toEqual(['fresh']);
});

describe('a gateway that dies', () => {
  it('in the middle of its work is followed by itself at once, and by another when its leases ran out', async () => {
    const rooms = ['mid-1', 'mid-2', 'mid-3'];
    const ann = keyOf('User', 'mid-ann');
    await leaveBehind(
      rooms.map((id) => keyOf('Conversation', id)),
      () => Promise.all(rooms.map((id) => put(ann, memberOf, id))),
    );
    const clock = createClock();
    // It read the entries and its position moved in memory alone: nothing of them was stored.
    await open({ owner: 'gw-dies', now: clock.now }).worker.tick();
    const other = open({ owner: 'gw-other', now: clock.now });
    await other.worker.tick();
    // Half of the ranges at most are taken while the owner seems alive.
    clock.pass(4_000);
    await other.worker.tick();
    const again = open({ owner: 'gw-dies', now: clock.now });
    await again.worker.tick();
    await again.worker.tick();
    for (const id of rooms) expect(await targetsOf(keyOf('Conversation', id), members)).toEqual(['mid-ann']);
    clock.pass(13_000);
    await other.worker.tick();
    expect(other.worker.ranges().length).toBeGreaterThanOrEqual(2);
  });

  it('leaves its ranges to the others', async () => {
    const clock = createClock();
    await open({ owner: 'gw-gone', now: clock.now }).worker.tick();
    const other = open({ owner: 'gw-stays', now: clock.now });
    await other.worker.tick();
    clock.pass(13_000);
    await other.worker.tick();
    clock.pass(3_000);
    await other.worker.tick();
    expect(other.worker.ranges()).toHaveLength(other.store.ranges.length);
  });
});

it('two gateways share the ranges, and one that leaves gives them back', async () => {
  const clock = createClock();
  const first = open({ owner: 'gw-1', now: clock.now });
  await first.worker.tick();
  expect(first.worker.ranges()).toHaveLength(4);
  const second = open({ owner: 'gw-2', now: clock.now });
  await second.worker.tick();
  clock.pass(5_000);
  await first.worker.tick();
  expect([first, second].map(({ worker }) => worker.ranges().length)).toEqual([2, 2]);
  await second.worker.stop();
  clock.pass(3_000);
  await first.worker.tick();
  expect(first.worker.ranges()).toHaveLength(4);
});

it('a gateway whose lease was stolen never writes an older state over a newer one', async () => {
  const [ann, room] = [keyOf('User', 'stolen-ann'), keyOf('Conversation', 'stolen')];
  await leaveBehind([room], () => put(ann, memberOf, 'stolen', 1));
  let aheadMs = 0;
  const now = () => Date.now() + aheadMs;
  const slow = open({ owner: 'gw-slow', now, endpoint: proxy.url });
  await slow.worker.tick();
  // It reads the forward edge; what it writes of it arrives only after everything else.
  const { promise: until, resolve: letGo } = Promise.withResolvers<void>();
  const delivered: Promise<void>[] = [];
  proxy.decide(({ isBatch, path }) => {
    if (!isBatch || path.includes('leases')) return { kind: 'pass' };
    const { promise, resolve } = Promise.withResolvers<void>();
    delivered.push(promise);
    return { kind: 'deliver late', until, delivered: resolve };
  });
  aheadMs += 4_000;
  await slow.worker.tick();
  expect(delivered.length).toBeGreaterThan(0);
  expect(await targetsOf(room, members)).toEqual([]);
  const thief = open({ owner: 'gw-thief', now });
  await thief.worker.tick();
  aheadMs += 13_000;
  await thief.worker.tick();
  await put(ann, memberOf, 'stolen', 2);
  await servedBy(fixture.store.deleteEdge({ from: ann, rule: memberOf, toId: idOf('stolen') }, newCall()));
  letGo();
  await Promise.all(delivered);
  expect(await targetsOf(room, members)).toEqual([]);
  proxy.decide(() => ({ kind: 'pass' }));
  aheadMs += 5_000;
  await slow.worker.tick();
  expect(await targetsOf(room, members)).toEqual([]);
});

describe('an entry that cannot be applied', () => {
  it('is parked after twenty failures of its own with the reason, and tried again when somebody asks', async () => {
    const [ann, room] = [keyOf('User', 'parked-ann'), keyOf('Conversation', 'parked')];
    const edge = { from: ann, rule: memberOf, toId: idOf('parked') };
    const withData = { timeMs: 1, data: Buffer.from('secret') };
    await leaveBehind([room], () => servedBy(fixture.store.putEdge(edge, withData, newCall())));
    const { keysDir } = fixture;
    await destroyKeys({ keysDir, wrapping: createMasterWrapping(keysDir) }, tenant, Date.now());
    const clock = createClock();
    // A gateway that starts now never had the key.
    const fresh = { ...fixture, content: createContent({ keysDir, now: clock.now }) };
    const parking = openWorker(fresh, { now: clock.now });
    workers.push(parking);
    clock.pass(4_000);
    for (let failures = 0; failures < 25; failures += 1) {
      await parking.worker.tick();
      clock.pass(300_000);
    }
    const mine = waitingOf(parking).filter(({ summary }) => summary.objectId === 'parked-ann');
    expect(mine).toEqual([
      expect.objectContaining({
        failures: 20,
        parkedAtMs: expect.any(Number),
        reason: { code: 'key_unavailable', message: expect.any(String) },
        summary: expect.objectContaining({ edge: { edgeType: 'memberOf', inverse: 'members', to: 'parked' } }),
      }),
    ]);
    await parking.worker.stop();

    // What another gateway takes over is still parked; the edge is deleted, which needs no key.
    const next = open({ owner: 'gw-next', now: clock.now });
    await next.worker.tick();
    const [parked] = waitingOf(next).filter(({ summary }) => summary.objectId === 'parked-ann');
    expect(parked).toMatchObject({ failures: 20 });
    await leaveBehind([room], () => servedBy(fixture.store.deleteEdge(edge, newCall())));
    const range = next.worker.ranges().find(({ waiting }) => waiting.some(({ ref }) => ref.id === parked?.ref.id));
    next.worker.tryAgain(range?.range ?? '', parked?.ref ?? { pk: '', id: '' });
    await next.worker.tick();
    expect(waitingOf(next).map(({ ref }) => ref.id)).not.toContain(parked?.ref.id);
    expect(await targetsOf(room, members)).toEqual([]);
  });

  it('is not parked by an outage of the store, and applied soon after it', async () => {
    const [ann, room] = [keyOf('User', 'out-ann'), keyOf('Conversation', 'out')];
    await leaveBehind([room], () => put(ann, memberOf, 'out'));
    const clock = createClock();
    const isOut = { now: true };
    const { worker } = open({
      now: clock.now,
      around: (port) => ({
        applyEntry: (ref) =>
          isOut.now ? Promise.resolve(deny('store_unavailable', 'Cosmos DB cannot be reached.')) : port.applyEntry(ref),
      }),
    });
    clock.pass(4_000);
    for (let times = 0; times < 40; times += 1) {
      await worker.tick();
      clock.pass(5_000);
    }
    const mine = worker
      .ranges()
      .flatMap(({ waiting }) => waiting)
      .filter(({ summary }) => summary.objectId === 'out-ann');
    expect(mine).toEqual([expect.objectContaining({ failures: 0, parkedAtMs: null })]);
    isOut.now = false;
    clock.pass(5_000);
    await worker.tick();
    expect(await targetsOf(room, members)).toEqual(['out-ann']);
  });

  it('does not hold the others up, nor the position of the feed', async () => {
    const clock = createClock();
    const ann = keyOf('User', 'stuck-ann');
    const { worker, store } = open({
      now: clock.now,
      around: (port) => ({
        applyEntry: (ref) => {
          if (ref.pk === partitionOf(ann)) throw new Error('damaged');
          return port.applyEntry(ref);
        },
      }),
    });
    await leaveBehind([keyOf('Conversation', 'stuck')], () => put(ann, memberOf, 'stuck'));
    const bo = keyOf('User', 'stuck-bo');
    await leaveBehind([keyOf('Conversation', 'free')], () => put(bo, memberOf, 'free'));
    clock.pass(4_000);
    await worker.tick();
    clock.pass(4_000);
    await worker.tick();
    expect(await targetsOf(keyOf('Conversation', 'free'), members)).toEqual(['stuck-bo']);
    const stuck = worker.ranges().find(({ waiting }) => waiting.some(({ ref }) => ref.pk === partitionOf(ann)));
    const lease = await store.readLease(stuck?.range ?? '');
    const kept = await store.readWaiting(stuck?.range ?? '');
    expect(lease).toMatchObject({ lease: { position: expect.any(String) } });
    expect(kept).toMatchObject({
      entries: [expect.objectContaining({ reason: { code: 'internal', message: 'damaged' } })],
    });
  });
});
