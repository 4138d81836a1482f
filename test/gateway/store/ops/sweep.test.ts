import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { EdgeRule, ObjectKey } from '#gateway/pipeline/store-port.ts';
import type { Store } from '#gateway/store/create-store.ts';
import {
  author,
  authored,
  codeOf,
  type Fixture,
  idOf,
  keyed,
  keyOf,
  memberOf,
  members,
  messages,
  newCall,
  servedBy,
  startFixture,
} from '#test/gateway/store/store-fixture.ts';
import { containerOf, itemsOf, partitionOf } from '#test/gateway/store/stored-items.ts';
import { type FaultyProxy, startFaultyProxy } from '#test/support/faulty-proxy.ts';

let fixture: Fixture;
let proxy: FaultyProxy;
/** Its requests pass the proxy, so that it can be cut off in the middle of a sweep. */
let dying: Store;
beforeAll(async () => {
  fixture = await startFixture();
  proxy = await startFaultyProxy(fixture.emulator.url);
  dying = fixture.another(proxy.url);
});
afterEach(() => proxy.decide(() => ({ kind: 'pass' })));
afterAll(async () => {
  await proxy.close();
  await fixture.stop();
});

const LIST = { limit: 1_000, afterS: null, afterMs: null, beforeMs: null };
/** A sweep that a cut-off gateway held is free after three seconds. */
const WITHIN = { timeout: 60_000 };

function putObject(key: ObjectKey, store = fixture.store) {
  const put = {
    content: Buffer.from('x'),
    contentType: 'text/plain',
    precondition: { ifMatch: null, ifAbsent: false },
  };
  return store.putObject(key, put, newCall());
}

function putEdge(from: ObjectKey, rule: EdgeRule, toId: string, timeMs = 1) {
  return fixture.store.putEdge({ from, rule, toId: idOf(toId) }, { timeMs, data: null }, newCall());
}

function remove(key: ObjectKey, mirrored: readonly EdgeRule[] = [], store = fixture.store, call = newCall()) {
  return store.deleteObject(key, { ifMatch: null, mirrored }, call);
}

async function targetsOf(from: ObjectKey, rule: EdgeRule): Promise<string[]> {
  const { edges } = await servedBy(fixture.store.listEdges({ from, rule }, LIST, newCall()));
  expect(await servedBy(fixture.store.countEdges({ from, rule }, newCall()))).toBe(edges.length);
  return edges.map(({ toId }) => toId).sort();
}

async function fill(from: ObjectKey, edges: number): Promise<void> {
  await servedBy(putObject(from));
  const ids = Array.from({ length: edges }, (_, index) => `m${index}`);
  await Promise.all(ids.map((id) => putEdge(from, messages, id).then((reply) => expect(reply.kind).toBe('reply'))));
}

async function removeWhole(key: ObjectKey, mirrored: readonly EdgeRule[] = []): Promise<void> {
  const isSwept = async () => !(await servedBy(remove(key, mirrored))).sweeping;
  await expect.poll(isSwept, { timeout: 30_000, interval: 20 }).toBe(true);
}

describe('object.delete of an object with edges', () => {
  it('leaves no edge, no count and an open partition that takes new ones', async () => {
    const from = keyOf('Conversation', 'few');
    await fill(from, 5);
    expect(await servedBy(remove(from))).toMatchObject({ deleted: true });
    await removeWhole(from);
    expect(await codeOf(fixture.store.getObject(from, newCall()))).toBe('object_not_found');
    expect(await targetsOf(from, messages)).toEqual([]);
    const items = await itemsOf(fixture.emulator, from);
    expect(items.find(({ id }) => id === 'h')).toMatchObject({ state: 'open', n: {} });
    expect(items.find(({ id }) => id === 'o')).toMatchObject({ dead: true, swept: true });
    expect(items.filter(({ id }) => id.startsWith('e~')).every((item) => item.dead === true)).toBe(true);
    await servedBy(putEdge(from, messages, 'm1'));
    expect(await targetsOf(from, messages)).toEqual(['m1']);
    expect(await codeOf(putObject(from))).toBe('served');
  });

  it('is idempotent, also by key, and deletes edges of an object that never was', async () => {
    const from = keyOf('Conversation', 'keyed');
    await fill(from, 2);
    const key = keyed('delete-1');
    expect(await servedBy(remove(from, [], fixture.store, newCall(key)))).toMatchObject({ deleted: true });
    await removeWhole(from);
    await servedBy(putEdge(from, messages, 'later'));
    expect(await servedBy(remove(from, [], fixture.store, newCall(key)))).toMatchObject({ deleted: true });
    expect(await targetsOf(from, messages)).toEqual(['later']);
    expect(await servedBy(remove(from))).toMatchObject({ deleted: false });
    expect(await targetsOf(from, messages)).toEqual([]);
  });

  it('takes the inverses of its edges along, and the forward edges of its inverses', async () => {
    const message = keyOf('Message', 'mirrored');
    const room = keyOf('Conversation', 'mirrored');
    const ann = keyOf('User', 'mirror-ann');
    await servedBy(putEdge(message, author, 'mirror-ann'));
    await servedBy(putEdge(ann, memberOf, 'mirrored'));
    await servedBy(putEdge(ann, memberOf, 'elsewhere'));
    expect(await servedBy(remove(message, [author]))).toMatchObject({ deleted: false });
    await removeWhole(message, [author]);
    expect(await targetsOf(ann, authored)).toEqual([]);
    await removeWhole(room, [members]);
    expect(await targetsOf(room, members)).toEqual([]);
    expect(await targetsOf(ann, memberOf)).toEqual(['elsewhere']);
    await removeWhole(ann, [memberOf, authored]);
    expect(await targetsOf(keyOf('Conversation', 'elsewhere'), members)).toEqual([]);
  });

  it('deletes two objects that lead to each other at the same time', async () => {
    const ann = keyOf('User', 'pair-ann');
    const room = keyOf('Conversation', 'pair');
    await servedBy(putEdge(ann, memberOf, 'pair'));
    await Promise.all([removeWhole(ann, [memberOf]), removeWhole(room, [members])]);
    expect(await targetsOf(ann, memberOf)).toEqual([]);
    expect(await targetsOf(room, members)).toEqual([]);
  });

  it('is done when another delete ends its sweep between two of its reads', async () => {
    const from = keyOf('Conversation', 'overtaken');
    await fill(from, 3);
    const ended = Promise.withResolvers<void>();
    let reads = 0;
    proxy.decide(({ isReadBatch, partition }) => {
      if (!isReadBatch || partition !== partitionOf(from)) return { kind: 'pass' };
      reads += 1;
      // Object and head were read to plan the delete, the tombstone to sweep: what is left to sweep is read now.
      if (reads !== 4) return { kind: 'pass' };
      void removeWhole(from).then(ended.resolve, ended.reject);
      return { kind: 'hold', until: ended.promise };
    });
    // Its time to sweep does not pass, however long the other delete takes; a held read that is given up is made again.
    const startedAtMs = Date.now();
    const reply = await servedBy(
      remove(
        from,
        [],
        fixture.another(proxy.url, 'rest', () => startedAtMs),
      ),
    );
    expect(reply).toEqual({ deleted: true, sweeping: false });
    expect(reads).toBeGreaterThanOrEqual(4);
    expect(await targetsOf(from, messages)).toEqual([]);
  });

  it('sees edges that the head does not count', async () => {
    const from = keyOf('Conversation', 'head-lost');
    await fill(from, 3);
    await containerOf(fixture.emulator).item('h', partitionOf(from)).delete();
    expect(await servedBy(remove(from))).toMatchObject({ deleted: true });
    await removeWhole(from);
    expect(await targetsOf(from, messages)).toEqual([]);
  });
});

describe('a sweep that stops in the middle', WITHIN, () => {
  /** Deletes `from` through a gateway that is cut off once that many of its writes arrived. */
  async function dieAfter(batches: number, from: ObjectKey, mirrored: readonly EdgeRule[] = []): Promise<void> {
    let seen = 0;
    proxy.decide(({ isBatch }) => {
      if (isBatch) seen += 1;
      return seen > batches ? { kind: 'lose' } : { kind: 'pass' };
    });
    await remove(from, mirrored, dying, newCall({ deadlineAtMs: Date.now() + 1_500 }));
    proxy.decide(() => ({ kind: 'pass' }));
  }

  it('is gone for readers, refuses writes, and the next delete ends it', async () => {
    const from = keyOf('Conversation', 'half');
    await fill(from, 150);
    await dieAfter(2, from);
    const left = (await itemsOf(fixture.emulator, from)).filter(({ id, dead }) => id.startsWith('e~') && dead !== true);
    expect(left.length).toBeGreaterThan(0);
    expect(await codeOf(fixture.store.getObject(from, newCall()))).toBe('object_not_found');
    expect(await targetsOf(from, messages)).toEqual([]);
    const toIds = Array.from({ length: 100 }, (_, index) => idOf(`m${index}`));
    for (const asked of [toIds, ...toIds.map((toId) => [toId])]) {
      const want = { toIds: asked, afterMs: null, beforeMs: null };
      expect(await servedBy(fixture.store.getEdges({ from, rule: messages }, want, newCall()))).toEqual([]);
    }
    expect(await codeOf(putEdge(from, messages, 'new'))).toBe('delete_in_progress');
    expect(await codeOf(putObject(from))).toBe('delete_in_progress');
    await removeWhole(from);
    expect(await targetsOf(from, messages)).toEqual([]);
    await servedBy(putEdge(from, messages, 'new'));
    expect(await targetsOf(from, messages)).toEqual(['new']);
  });

  it('does not take an edge that was put to the deleted object meanwhile', async () => {
    const room = keyOf('Conversation', 'target');
    const ann = keyOf('User', 'target-ann');
    await servedBy(putEdge(ann, memberOf, 'target'));
    // The delete's own batch and that of the forward edge; the inverse still stands in the room.
    await dieAfter(2, room, [members]);
    expect(await targetsOf(ann, memberOf)).toEqual([]);
    await servedBy(putEdge(ann, memberOf, 'target', 2));
    await removeWhole(room, [members]);
    expect(await targetsOf(ann, memberOf)).toEqual(['target']);
    await servedBy(putEdge(ann, memberOf, 'target', 3));
    expect(await targetsOf(room, members)).toEqual(['target-ann']);
    await removeWhole(room, [members]);
    expect(await targetsOf(ann, memberOf)).toEqual([]);
  });
});

describe('edge.put racing with the sweep of its object (T17)', WITHIN, () => {
  it('count = list afterwards, and no edge older than the delete remains', async () => {
    const from = keyOf('Conversation', 't17');
    await fill(from, 300);
    const acknowledged: { toId: string; atMs: number }[] = [];
    let isOver = false;
    const writer = async (name: string) => {
      for (let index = 0; !isOver; index += 1) {
        const toId = `${name}-${index}`;
        const reply = await putEdge(from, messages, toId, 2);
        if (reply.kind === 'reply') acknowledged.push({ toId, atMs: performance.now() });
        else expect(['delete_in_progress', 'write_contended', 'store_throttled']).toContain(reply.code);
      }
    };
    const writers = ['a', 'b', 'c'].map(writer);
    await expect.poll(() => acknowledged.length).toBeGreaterThan(3);
    const deletedAtMs = performance.now();
    expect((await servedBy(remove(from))).deleted).toBe(true);
    await removeWhole(from);
    const several = acknowledged.length + 3;
    await expect.poll(() => acknowledged.length).toBeGreaterThan(several);
    isOver = true;
    await Promise.all(writers);
    const targets = await targetsOf(from, messages);
    const before = acknowledged.filter(({ atMs }) => atMs < deletedAtMs).map(({ toId }) => toId);
    expect(targets.filter((toId) => before.includes(toId) || toId.startsWith('m'))).toEqual([]);
    expect(acknowledged.map(({ toId }) => toId)).toEqual(expect.arrayContaining(targets));
  });
});
