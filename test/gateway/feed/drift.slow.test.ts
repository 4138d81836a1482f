import { describe, expect, it } from 'vitest';
import { createCounting } from '#gateway/feed/counting.ts';
import type { ObjectKey } from '#gateway/pipeline/store-port.ts';
import {
  author,
  authored,
  idOf,
  keyOf,
  memberOf,
  members,
  newCall,
  servedBy,
} from '#test/gateway/store/store-fixture.ts';
import { containerOf, partitionOf } from '#test/gateway/store/stored-items.ts';
import { createClock, type TestWorker } from './feed-fixture.ts';
import { openScene, waitingIn } from './feed-scene.ts';

const { fixture, open, targetsOf, put, leaveBehind } = openScene();

/** A worker that counts all its ranges whenever it is told to. */
function openCounting(owner = 'gw-a') {
  const clock = createClock();
  const opened = open({ owner, now: clock.now });
  const { worker, store } = opened;
  const pauses: number[] = [];
  const counting = createCounting({
    ...{ worker, store, now: clock.now, random: Math.random },
    pause: async (ms) => void pauses.push(ms),
  });
  return {
    ...{ ...opened, clock, pauses },
    async countAll() {
      await worker.tick();
      clock.pass(3_600_000);
      for (const _ of worker.ranges()) await counting.tick();
      await worker.tick();
    },
    async recount(key: ObjectKey) {
      const range = worker.ranges().find(({ waiting }) => waiting.some(({ ref }) => ref.pk === partitionOf(key)));
      worker.tryAgain(range?.range ?? '', driftOf(opened, key)?.ref ?? { pk: '', id: '' });
      await worker.tick();
    },
  };
}

function driftOf(worker: TestWorker, key: ObjectKey) {
  return waitingIn(worker).find(({ ref, summary }) => ref.pk === partitionOf(key) && summary.kind === 'drift');
}

const headOf = (key: ObjectKey) => containerOf(fixture().emulator).item('h', partitionOf(key));
const edgeOf = (key: ObjectKey, id: string) => containerOf(fixture().emulator).item(id, partitionOf(key));

describe('drift', () => {
  it('of a count is listed with the numbers, stays so on another gateway, and goes by a recount that somebody asks for', async () => {
    const ann = keyOf('User', 'drift-ann');
    await put(ann, memberOf, 'drift-1');
    await put(ann, memberOf, 'drift-2');
    const first = openCounting();
    await first.countAll();
    expect(driftOf(first, ann)).toBeUndefined();
    await headOf(ann).patch([{ op: 'incr', path: '/n/memberOf', value: 1 }]);
    await first.countAll();
    const found = driftOf(first, ann);
    expect(found).toMatchObject({
      summary: {
        ...{ kind: 'drift', tenant: 'chat', type: 'User', objectId: 'drift-ann', items: 1 },
        drift: { counts: [{ edgeType: 'memberOf', counted: 3, listed: 2 }], bytes: null, inverses: [] },
      },
      parkedAtMs: expect.any(Number),
    });
    await first.worker.stop();

    const next = openCounting('gw-next');
    next.clock.pass(60_000);
    await next.worker.tick();
    expect(driftOf(next, ann)?.summary).toEqual(found?.summary);
    await next.countAll();
    expect(driftOf(next, ann)?.summary.atMs).toBe(found?.summary.atMs);
    await next.recount(ann);
    expect(driftOf(next, ann)).toBeUndefined();
    expect(await targetsOf(ann, memberOf)).toEqual(['drift-1', 'drift-2']);
    await next.countAll();
    expect(driftOf(next, ann)).toBeUndefined();
  });

  it('of a lost edge and of bytes is listed, and goes by itself once something else mended it', async () => {
    const bo = keyOf('User', 'drift-bo');
    await put(bo, memberOf, 'drift-3');
    await edgeOf(bo, 'e~memberOf~drift-3').delete();
    await headOf(bo).patch([{ op: 'set', path: '/bytes', value: -1 }]);
    const counting = openCounting();
    await counting.countAll();
    expect(driftOf(counting, bo)?.summary.drift).toMatchObject({
      counts: [{ edgeType: 'memberOf', counted: 1, listed: 0 }],
      bytes: { counted: -1, stored: expect.any(Number) },
    });
    await headOf(bo).patch([
      { op: 'set', path: '/n/memberOf', value: 0 },
      { op: 'set', path: '/bytes', value: 10_000 },
    ]);
    await counting.countAll();
    expect(driftOf(counting, bo)).toBeUndefined();
  });

  it('of inverses is listed at the object where it was seen, and a recount writes what the forward edge says', async () => {
    const [cy, room] = [keyOf('User', 'drift-cy'), keyOf('Conversation', 'drift-4')];
    const [text, writer] = [keyOf('Message', 'drift-m'), keyOf('User', 'drift-writer')];
    await put(cy, memberOf, 'drift-4');
    await put(text, author, 'drift-writer');
    // One inverse is lost, and one forward edge under its inverse; their heads know of it.
    await edgeOf(room, 'e~members~drift-cy').delete();
    await headOf(room).patch([{ op: 'set', path: '/n/members', value: 0 }]);
    await edgeOf(text, 'e~author').delete();
    await headOf(text).patch([{ op: 'set', path: '/n/author', value: 0 }]);
    const counting = openCounting();
    await counting.countAll();
    const pair = { edgeType: 'memberOf', from: 'drift-cy', to: 'drift-4', what: 'missing' };
    expect(driftOf(counting, cy)?.summary.drift).toEqual({ counts: [], bytes: null, inverses: [pair] });
    const orphan = { edgeType: 'author', from: 'drift-m', to: 'drift-writer', what: 'orphan' };
    expect(driftOf(counting, writer)?.summary.drift?.inverses).toEqual([orphan]);
    expect(counting.pauses.length).toBeGreaterThan(0);
    await counting.recount(cy);
    await counting.recount(writer);
    expect([driftOf(counting, cy), driftOf(counting, writer)]).toEqual([undefined, undefined]);
    expect(await targetsOf(room, members)).toEqual(['drift-cy']);
    expect(await targetsOf(writer, authored)).toEqual([]);
  });

  it('is not what an outbox entry is still to settle', async () => {
    const [di, room] = [keyOf('User', 'drift-di'), keyOf('Conversation', 'drift-5')];
    await leaveBehind([room], () => put(di, memberOf, 'drift-5'));
    const { store, worker } = open({ now: Date.now });
    const edge = { pk: partitionOf(di), edgeType: 'memberOf', to: 'drift-5', atMs: 0 };
    expect(await store.checkEdge(edge)).toEqual({ kind: 'checked', drift: null });
    await worker.stop();
    await servedBy(fixture().store.deleteEdge({ from: di, rule: memberOf, toId: idOf('drift-5') }, newCall()));
  });

  it('of an object that a gateway cannot recount is listed with the reason, until somebody asks again', async () => {
    const ed = keyOf('User', 'drift-ed');
    await put(ed, memberOf, 'drift-6');
    await headOf(ed).patch([{ op: 'incr', path: '/n/memberOf', value: 1 }]);
    const counting = openCounting();
    await counting.countAll();
    await headOf(ed).patch([{ op: 'set', path: '/state', value: 'senseless' }]);
    await counting.recount(ed);
    expect(driftOf(counting, ed)).toMatchObject({
      failures: 1,
      parkedAtMs: expect.any(Number),
      reason: { code: 'internal' },
    });
    await headOf(ed).patch([{ op: 'set', path: '/state', value: 'open' }]);
    await counting.recount(ed);
    expect(driftOf(counting, ed)).toBeUndefined();
    expect(await targetsOf(ed, memberOf)).toEqual(['drift-6']);
  });
});
