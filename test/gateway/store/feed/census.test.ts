import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isDenial } from '#gateway/pipeline/denial.ts';
import type { ObjectKey, StoreMeter } from '#gateway/pipeline/store-port.ts';
import { createParts } from '#gateway/store/create-store.ts';
import { takeCensus } from '#gateway/store/feed/census.ts';
import { countedItem } from '#gateway/store/feed/counted-item.ts';
import { findDrift } from '#gateway/store/feed/head-drift.ts';
import { storedBytes } from '#gateway/store/layout/items.ts';
import {
  type Fixture,
  idOf,
  keyed,
  keyOf,
  memberOf,
  newCall,
  servedBy,
  startFixture,
} from '#test/gateway/store/store-fixture.ts';
import { containerOf, itemsOf, partitionOf } from '#test/gateway/store/stored-items.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(() => fixture.stop());

const WHOLE = { min: '', max: 'FF' };
const toRoom = { rule: memberOf, toId: idOf('room') };

async function census(over: Partial<Parameters<typeof takeCensus>[1]> = {}) {
  const { emulator, content } = fixture;
  const credential = { kind: 'key', key: emulator.key } as const;
  const parts = createParts({ endpoint: emulator.url, credential, content, clock: { now: Date.now } });
  let usedRu = 0;
  const meter: StoreMeter = {
    add: ({ ru }) => {
      usedRu += ru;
    },
  };
  const taken = await takeCensus(parts, { span: WHOLE, meter, ...over });
  await parts.account.close();
  if (isDenial(taken)) throw new Error(taken.message);
  return { ...taken, usedRu };
}

it('counts what is live, once, by tenant and type; in halves it comes to the same', async () => {
  const { store } = fixture;
  const users = Array.from({ length: 12 }, (_, at) => keyOf('User', `u${at}`));
  const precondition = { ifMatch: null, ifAbsent: false };
  const body = { content: Buffer.from('x'), contentType: 'text/plain', precondition };
  for (const from of users) {
    await servedBy(store.putObject(from, body, newCall()));
    await servedBy(store.putObject(from, body, newCall()));
    await servedBy(store.putEdge({ from, ...toRoom }, { timeMs: 1, data: null }, newCall()));
  }
  const [first, second] = users;
  if (first === undefined || second === undefined) throw new Error('no users');
  await servedBy(store.deleteObject(first, { ifMatch: null, mirrored: [memberOf] }, newCall()));
  await servedBy(store.deleteEdge({ from: second, ...toRoom }, newCall()));

  const whole = await census();
  const inHalves = await census({ mostItems: 4 });
  const counts = Object.fromEntries(whole.sums.map(({ tenant, type, count }) => [`${tenant} ${type}`, count]));
  expect(counts).toEqual({ 'chat User': 11, 'chat Conversation': 0, 'chat memberOf': 10, 'chat members': 10 });
  expect(whole.sums.filter(({ count }) => count > 0).every(({ bytes }) => bytes > 0)).toBe(true);
  const room = await itemsOf(fixture.emulator, keyOf('Conversation', 'room'));
  const largest = whole.sums.find(({ type }) => type === 'Conversation')?.largestBytes;
  expect(largest).toBe(room.reduce((sum, item) => sum + storedBytes(item), 0));
  const longest = Object.fromEntries(whole.sums.map(({ type, longestList }) => [type, longestList]));
  expect(longest).toEqual({ User: undefined, Conversation: undefined, memberOf: 1, members: 10 });
  const byType = (one: { type: string }, other: { type: string }) => one.type.localeCompare(other.type);
  expect([...inHalves.sums].sort(byType)).toEqual([...whole.sums].sort(byType));
  expect([whole.drift, whole.unsure, inHalves.drift, inHalves.unsure]).toEqual([[], [], [], []]);
});

describe('a head that does not agree with what is stored', () => {
  const count = (key: ObjectKey) => fixture.store.countEdges({ from: key, rule: memberOf }, newCall());
  const put = (from: ObjectKey, to: string) =>
    servedBy(fixture.store.putEdge({ from, rule: memberOf, toId: idOf(to) }, { timeMs: 1, data: null }, newCall()));
  const headOf = (key: ObjectKey) => containerOf(fixture.emulator).item('h', partitionOf(key));
  const driftOf = async (key: ObjectKey) =>
    (await census()).drift.find(({ pk }) => pk === partitionOf(key))?.drift ?? null;

  it('is found with the numbers, whatever differs, for 1 RU beside the count', async () => {
    const [more, fewer, headless, light] = ['more', 'fewer', 'headless', 'light'].map((id) => keyOf('User', id));
    if (more === undefined || fewer === undefined || headless === undefined || light === undefined) throw new Error();
    for (const user of [more, fewer, headless, light]) await put(user, `of-${user.id}`);
    const quiet = await census();
    await headOf(more).patch([{ op: 'incr', path: '/n/memberOf', value: 1 }]);
    await containerOf(fixture.emulator).item('e~memberOf~of-fewer', partitionOf(fewer)).delete();
    await headOf(headless).delete();
    await headOf(light).patch([{ op: 'set', path: '/bytes', value: 1 }]);
    const found = await census();
    expect(found.usedRu - quiet.usedRu).toBeLessThan(4 * 2);
    expect((await driftOf(more))?.counts).toEqual([{ edgeType: 'memberOf', counted: 2, listed: 1 }]);
    expect((await driftOf(fewer))?.counts).toEqual([{ edgeType: 'memberOf', counted: 1, listed: 0 }]);
    expect((await driftOf(headless))?.counts).toEqual([{ edgeType: 'memberOf', counted: 0, listed: 1 }]);
    expect(await driftOf(light)).toEqual({ counts: [], bytes: { counted: 1, stored: expect.any(Number) } });
    expect(await servedBy(count(more))).toBe(2);
  });

  it('is not told of an object that was written after it was counted', async () => {
    const busy = keyOf('User', 'busy');
    await put(busy, 'of-busy');
    await headOf(busy).patch([{ op: 'incr', path: '/n/memberOf', value: 1 }]);
    const items = await itemsOf(fixture.emulator, busy);
    await put(busy, 'of-busy-too');
    const counted = items.map((item) => countedItem({ ...item, pk: partitionOf(busy), _ts: 1 }));
    const { emulator, content } = fixture;
    const credential = { kind: 'key', key: emulator.key } as const;
    const parts = createParts({ endpoint: emulator.url, credential, content, clock: { now: Date.now } });
    const found = await findDrift(parts, counted, { add: () => undefined });
    await parts.account.close();
    expect(found).toEqual({ drift: [], unsure: [partitionOf(busy)] });
  });

  it('is not told, and the count is, while the store cannot say whether it is so still', async () => {
    const away = keyOf('User', 'away');
    await put(away, 'of-away');
    await headOf(away).patch([{ op: 'incr', path: '/n/memberOf', value: 1 }]);
    const effect = { kind: 'batchStatus', status: 413 } as const;
    fixture.emulator.faults.add({ partition: partitionOf(away), operations: ['batch'], effect });
    const taken = await census();
    fixture.emulator.faults.clear();
    expect(taken.unsure).toContain(partitionOf(away));
    expect(taken.drift.map(({ pk }) => pk)).not.toContain(partitionOf(away));
    expect(taken.sums.length).toBeGreaterThan(0);
    expect((await driftOf(away))?.counts).toEqual([{ edgeType: 'memberOf', counted: 2, listed: 1 }]);
  });

  it('does not miss the bytes of what was answered to keyed puts of the object', async () => {
    const noted = keyOf('User', 'noted');
    const body = {
      content: Buffer.from('x'),
      contentType: 'text/plain',
      precondition: { ifMatch: null, ifAbsent: false },
    };
    for (const key of ['a', 'b']) await servedBy(fixture.store.putObject(noted, body, newCall(keyed(key))));
    expect(await driftOf(noted)).toBeNull();
  });
});
