import { describe, expect, it } from 'vitest';
import { idOf, keyOf, memberOf, members, newCall, servedBy } from '#test/gateway/store/store-fixture.ts';
import { createClock } from './feed-fixture.ts';
import { openScene } from './feed-scene.ts';

const { fixture, proxy, open, targetsOf, put, leaveBehind } = openScene();

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
  const slow = open({ owner: 'gw-slow', now, endpoint: proxy().url });
  await slow.worker.tick();
  // It reads the forward edge; what it writes of it arrives only after everything else.
  const { promise: until, resolve: letGo } = Promise.withResolvers<void>();
  const delivered: Promise<void>[] = [];
  proxy().decide(({ isBatch, path }) => {
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
  await servedBy(fixture().store.deleteEdge({ from: ann, rule: memberOf, toId: idOf('stolen') }, newCall()));
  letGo();
  await Promise.all(delivered);
  expect(await targetsOf(room, members)).toEqual([]);
  proxy().decide(() => ({ kind: 'pass' }));
  aheadMs += 5_000;
  await slow.worker.tick();
  expect(await targetsOf(room, members)).toEqual([]);
});
