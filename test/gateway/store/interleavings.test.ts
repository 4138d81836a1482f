import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { EdgeRule, ObjectKey } from '#gateway/pipeline/store-port.ts';
import type { Store } from '#gateway/store/create-store.ts';
import { type FaultyProxy, startFaultyProxy } from '#test/support/faulty-proxy.ts';
import {
  codeOf,
  type Fixture,
  idOf,
  keyOf,
  memberOf,
  members,
  messages,
  newCall,
  servedBy,
  startFixture,
} from './store-fixture.ts';

let fixture: Fixture;
let proxy: FaultyProxy;
/** Its requests pass the proxy, so one of them can be held while `fixture.store` writes. */
let held: Store;
beforeAll(async () => {
  fixture = await startFixture();
  proxy = await startFaultyProxy(fixture.emulator.url);
  held = fixture.another(proxy.url);
});
afterEach(() => proxy.decide(() => ({ kind: 'pass' })));
afterAll(async () => {
  await proxy.close();
  await fixture.stop();
});

const room = (id: string) => keyOf('Conversation', id);
const user = (id: string) => keyOf('User', id);
const LIST = { limit: 100, afterS: null, afterMs: null, beforeMs: null };

function put(store: Store, edge: { from: ObjectKey; rule: EdgeRule; toId: string }, timeMs = 1) {
  return store.putEdge({ ...edge, toId: idOf(edge.toId) }, { timeMs, data: null }, newCall());
}

async function edgesOf(from: ObjectKey, rule: EdgeRule) {
  const { edges } = await servedBy(fixture.store.listEdges({ from, rule }, LIST, newCall()));
  expect(await servedBy(fixture.store.countEdges({ from, rule }, newCall()))).toBe(edges.length);
  return edges.map(({ toId, timeMs }) => ({ toId, timeMs }));
}

/** Holds the n-th batch that passes from now on. `reached` resolves when it arrived; `release` lets it go on. */
function holdBatch(nth: number): { readonly reached: Promise<void>; readonly release: () => void } {
  const reached = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  let batches = 0;
  proxy.decide((seen) => {
    if (!seen.isBatch) return { kind: 'pass' };
    batches += 1;
    if (batches !== nth) return { kind: 'pass' };
    reached.resolve();
    return { kind: 'hold', until: released.promise };
  });
  return { reached: reached.promise, release: released.resolve };
}

describe('object.delete between whose read and batch an edge is put', () => {
  async function deleteMeanwhile(from: ObjectKey): Promise<string> {
    const content = { content: Buffer.from('x'), contentType: 'text/plain' };
    const precondition = { ifMatch: null, ifAbsent: false };
    await servedBy(fixture.store.putObject(from, { ...content, precondition }, newCall()));
    const batch = holdBatch(1);
    const deleted = codeOf(held.deleteObject(from, { ifMatch: null, mirrored: [] }, newCall()));
    await batch.reached;
    await servedBy(put(fixture.store, { from, rule: messages, toId: 'a' }));
    batch.release();
    return deleted;
  }

  it('takes the edge with it, when the edge made the head', async () => {
    const from = room('delete-no-head');
    expect(await deleteMeanwhile(from)).toBe('served');
    expect(await codeOf(fixture.store.getObject(from, newCall()))).toBe('object_not_found');
    expect(await edgesOf(from, messages)).toEqual([]);
  });

  it('takes the edge with it, when the head was there', async () => {
    const from = room('delete-with-head');
    await servedBy(put(fixture.store, { from, rule: messages, toId: 'b' }));
    await servedBy(fixture.store.deleteEdge({ from, rule: messages, toId: idOf('b') }, newCall()));
    expect(await deleteMeanwhile(from)).toBe('served');
    expect(await codeOf(fixture.store.getObject(from, newCall()))).toBe('object_not_found');
    expect(await edgesOf(from, messages)).toEqual([]);
  });
});

describe('an inverse that is applied late', () => {
  it('never replaces what a newer forward write left', async () => {
    const edge = { from: user('ann'), rule: memberOf, toId: 'r1' };
    await servedBy(put(fixture.store, { ...edge, toId: 'other' }));
    // Batch 1 is the forward write, batch 2 its inverse.
    const batch = holdBatch(2);
    const older = servedBy(put(held, edge, 10));
    await batch.reached;
    await servedBy(put(fixture.store, edge, 20));
    batch.release();
    await older;
    expect(await edgesOf(room('r1'), members)).toEqual([{ toId: 'ann', timeMs: 20 }]);
  });

  it('never brings back what was deleted meanwhile', async () => {
    const edge = { from: user('bob'), rule: memberOf, toId: 'r2' };
    await servedBy(put(fixture.store, { ...edge, toId: 'other' }));
    const batch = holdBatch(2);
    const older = servedBy(put(held, edge, 10));
    await batch.reached;
    const gone = fixture.store.deleteEdge({ ...edge, toId: idOf('r2') }, newCall());
    expect(await servedBy(gone)).toEqual({ deleted: true });
    batch.release();
    await older;
    expect(await edgesOf(room('r2'), members)).toEqual([]);
    expect(await edgesOf(user('bob'), memberOf)).toEqual([{ toId: 'other', timeMs: 1 }]);
  });
});

describe('two writes of one edge', () => {
  it('put and put: both are served, one made it, the count is one', async () => {
    const edge = { from: room('put-put'), rule: messages, toId: 'a' };
    await servedBy(put(fixture.store, { ...edge, toId: 'seed' }));
    const batch = holdBatch(1);
    const late = servedBy(put(held, edge, 10));
    await batch.reached;
    expect(await servedBy(put(fixture.store, edge, 20))).toMatchObject({ created: true });
    batch.release();
    expect(await late).toMatchObject({ created: false, timeMs: 10 });
    expect(await edgesOf(edge.from, messages)).toEqual([
      { toId: 'a', timeMs: 10 },
      { toId: 'seed', timeMs: 1 },
    ]);
  });

  it('delete and put: the delete that was overtaken deletes the present edge once', async () => {
    const edge = { from: room('delete-put'), rule: messages, toId: 'a' };
    await servedBy(put(fixture.store, edge, 10));
    const batch = holdBatch(1);
    const deleted = servedBy(held.deleteEdge({ ...edge, toId: idOf('a') }, newCall()));
    await batch.reached;
    await servedBy(put(fixture.store, edge, 20));
    batch.release();
    expect(await deleted).toEqual({ deleted: true });
    expect(await edgesOf(edge.from, messages)).toEqual([]);
  });

  it('delete and delete: exactly one of them did it', async () => {
    const edge = { from: room('delete-delete'), rule: messages, toId: 'a' };
    await servedBy(put(fixture.store, edge, 10));
    const batch = holdBatch(1);
    const late = servedBy(held.deleteEdge({ ...edge, toId: idOf('a') }, newCall()));
    await batch.reached;
    expect(await servedBy(fixture.store.deleteEdge({ ...edge, toId: idOf('a') }, newCall()))).toEqual({
      deleted: true,
    });
    batch.release();
    expect(await late).toEqual({ deleted: false });
    expect(await edgesOf(edge.from, messages)).toEqual([]);
  });
});
