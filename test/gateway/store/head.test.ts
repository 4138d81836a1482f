import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ObjectKey } from '#gateway/pipeline/store-port.ts';
import {
  codeOf,
  type Fixture,
  idOf,
  keyOf,
  memberOf,
  messages,
  newCall,
  servedBy,
  startFixture,
} from './store-fixture.ts';
import { containerOf, itemsOf, partitionOf } from './stored-items.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(() => fixture.stop());

const edgeOf = (from: ObjectKey, toId: string) => ({ from, rule: messages, toId: idOf(toId) });

function put(from: ObjectKey, toId: string, data: string | null = null) {
  const bytes = data === null ? null : Buffer.from(data);
  return fixture.store.putEdge(edgeOf(from, toId), { timeMs: 1, data: bytes }, newCall());
}

async function setHead(from: ObjectKey, path: string, value: unknown) {
  await containerOf(fixture.emulator)
    .item('h', partitionOf(from))
    .patch([{ op: 'set', path, value }]);
}

async function head(from: ObjectKey) {
  return (await itemsOf(fixture.emulator, from)).find(({ id }) => id === 'h');
}

const ownBytes = (item: object) =>
  Buffer.byteLength(JSON.stringify(Object.fromEntries(Object.entries(item).filter(([name]) => !name.startsWith('_')))));

describe('the head of a partition', () => {
  it('that is closing refuses edges with delete_in_progress, and counts none', async () => {
    const from = keyOf('Conversation', 'closing');
    await servedBy(put(from, 'a'));
    await setHead(from, '/state', 'closing');
    expect(await codeOf(put(from, 'b'))).toBe('delete_in_progress');
    expect(await codeOf(put(from, 'a'))).toBe('delete_in_progress');
    expect(await servedBy(fixture.store.countEdges({ from, rule: messages }, newCall()))).toBe(0);
  });

  it('that is full refuses puts with limit_exceeded, and deletes go on', async () => {
    const from = keyOf('Conversation', 'full');
    await servedBy(put(from, 'a'));
    await setHead(from, '/bytes', 16 * 2 ** 30);
    expect(await codeOf(put(from, 'b'))).toBe('limit_exceeded');
    expect(await servedBy(fixture.store.deleteEdge(edgeOf(from, 'a'), newCall()))).toEqual({ deleted: true });
  });

  it('sums the bytes of the edges and tombstones that lie in the partition', async () => {
    const from = keyOf('Conversation', 'bytes');
    await servedBy(put(from, 'a', 'x'.repeat(900)));
    await servedBy(put(from, 'b'));
    await servedBy(put(from, 'a', 'short'));
    await servedBy(fixture.store.deleteEdge(edgeOf(from, 'b'), newCall()));
    const edges = (await itemsOf(fixture.emulator, from)).filter(({ id }) => id.startsWith('e~'));
    expect(edges).toHaveLength(2);
    expect((await head(from))?.bytes).toBe(edges.reduce((sum, item) => sum + ownBytes(item), 0));
  });

  it('sums the records of keys and outbox entries as well, which wait in the partition for their end', async () => {
    const from = keyOf('User', 'records');
    const edge = { from, rule: memberOf, toId: idOf('room') };
    const call = newCall({ idempotency: { principal: 'service-a', key: 'put-1', requestSha256: 'body' } });
    await servedBy(fixture.store.putEdge(edge, { timeMs: 1, data: null }, call));
    const items = (await itemsOf(fixture.emulator, from)).filter(({ id }) => id !== 'h');
    expect(items.map(({ id }) => id.slice(0, 2)).sort()).toEqual(['e~', 'i~', 'x~']);
    const sum = items.reduce((bytes, item) => bytes + ownBytes(item), 0);
    // The outbox entry was larger before it was done.
    expect((await head(from))?.bytes).toBeGreaterThanOrEqual(sum);
    expect((await head(from))?.bytes).toBeLessThan(sum + 500);
  });

  it('is made by the first edge, by however many at once', async () => {
    const from = keyOf('Conversation', 'first');
    const stores = [fixture.store, fixture.another(), fixture.another()];
    const puts = stores.map((store, index) =>
      servedBy(store.putEdge(edgeOf(from, `m${index}`), { timeMs: 1, data: null }, newCall())),
    );
    await Promise.all(puts);
    expect(await head(from)).toMatchObject({ state: 'open', n: { messages: 3 } });
  });

  it('an object whose delete is swept later refuses a put with delete_in_progress', async () => {
    const key = keyOf('Message', 'sweeping');
    const content = { content: Buffer.from('x'), contentType: 'text/plain' };
    const putObject = () =>
      fixture.store.putObject(key, { ...content, precondition: { ifMatch: null, ifAbsent: false } }, newCall());
    await servedBy(putObject());
    await servedBy(fixture.store.deleteObject(key, { ifMatch: null, mirrored: [] }, newCall()));
    await containerOf(fixture.emulator)
      .item('o', partitionOf(key))
      .patch([{ op: 'set', path: '/swept', value: false }]);
    expect(await codeOf(putObject())).toBe('delete_in_progress');
  });
});
