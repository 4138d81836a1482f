import { describe, expect, it } from 'vitest';
import { destroyKeys } from '#gateway/content/acts/destroy-keys.ts';
import { createContent } from '#gateway/content/create-content.ts';
import { createMasterWrapping } from '#gateway/content/keys/master-key.ts';
import { deny } from '#gateway/pipeline/denial.ts';
import { idOf, keyOf, memberOf, members, newCall, servedBy, tenant } from '#test/gateway/store/store-fixture.ts';
import { partitionOf } from '#test/gateway/store/stored-items.ts';
import { createClock } from './feed-fixture.ts';
import { openScene, waitingIn } from './feed-scene.ts';

const { fixture, open, targetsOf, put, leaveBehind } = openScene();

describe('an entry that cannot be applied', () => {
  it('is parked after twenty failures of its own with the reason, and tried again when somebody asks', async () => {
    const [ann, room] = [keyOf('User', 'parked-ann'), keyOf('Conversation', 'parked')];
    const edge = { from: ann, rule: memberOf, toId: idOf('parked') };
    const withData = { timeMs: 1, data: Buffer.from('secret') };
    await leaveBehind([room], () => servedBy(fixture().store.putEdge(edge, withData, newCall())));
    const { keysDir } = fixture();
    await destroyKeys({ keysDir, wrapping: createMasterWrapping(keysDir) }, tenant, Date.now());
    const clock = createClock();
    // A gateway that starts now never had the key.
    const content = createContent({ keysDir, now: clock.now });
    const parking = open({ now: clock.now }, { content });
    clock.pass(4_000);
    for (let failures = 0; failures < 25; failures += 1) {
      await parking.worker.tick();
      clock.pass(300_000);
    }
    const mine = waitingIn(parking).filter(({ summary }) => summary.objectId === 'parked-ann');
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
    const [parked] = waitingIn(next).filter(({ summary }) => summary.objectId === 'parked-ann');
    expect(parked).toMatchObject({ failures: 20 });
    await leaveBehind([room], () => servedBy(fixture().store.deleteEdge(edge, newCall())));
    const range = next.worker.ranges().find(({ waiting }) => waiting.some(({ ref }) => ref.id === parked?.ref.id));
    next.worker.tryAgain(range?.range ?? '', parked?.ref ?? { pk: '', id: '' });
    await next.worker.tick();
    expect(waitingIn(next).map(({ ref }) => ref.id)).not.toContain(parked?.ref.id);
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
