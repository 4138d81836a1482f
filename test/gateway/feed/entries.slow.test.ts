import { describe, expect, it } from 'vitest';
import {
  author,
  authored,
  idOf,
  keyOf,
  memberOf,
  members,
  messages,
  newCall,
  servedBy,
} from '#test/gateway/store/store-fixture.ts';
import { partitionOf } from '#test/gateway/store/stored-items.ts';
import { createClock } from './feed-fixture.ts';
import { LIST, openScene } from './feed-scene.ts';

const { fixture, proxy, open, targetsOf, put, leaveBehind, openEntriesOf } = openScene();

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
    await leaveBehind([room], () => servedBy(fixture().store.putEdge(edge, withData, newCall())));
    const clock = createClock();
    const { worker } = open({ now: clock.now });
    clock.pass(4_000);
    await worker.tick();
    const { edges } = await servedBy(fixture().store.listEdges({ from: room, rule: members }, LIST, newCall()));
    const [found] = edges;
    if (found?.data == null) throw new Error('the inverse has data');
    const opened = await fixture().content.open(found.binding, found.data);
    expect([found.timeMs, Buffer.from(opened as Uint8Array).toString()]).toEqual([7, 'joined']);
    await leaveBehind([room], () => servedBy(fixture().store.deleteEdge(edge, newCall())));
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
  const dying = fixture().another(proxy().url);
  let batches = 0;
  proxy().decide(({ isBatch }) => {
    if (isBatch) batches += 1;
    return batches > 1 ? { kind: 'lose' } : { kind: 'pass' };
  });
  await dying.deleteObject(from, { ifMatch: null, mirrored: [] }, newCall({ deadlineAtMs: Date.now() + 2_000 }));
  expect(await openEntriesOf(from)).toHaveLength(1);
  const { worker } = open({ now: () => Date.now() + 10_000 });
  await expect.poll(() => worker.tick().then(() => openEntriesOf(from)), { timeout: 30_000 }).toEqual([]);
  await put(from, messages, 'fresh');
  expect(await targetsOf(from, messages)).toEqual(['fresh']);
});
