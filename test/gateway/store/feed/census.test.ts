import { afterAll, beforeAll, expect, it } from 'vitest';
import { createParts } from '#gateway/store/create-store.ts';
import { takeCensus } from '#gateway/store/feed/census.ts';
import {
  type Fixture,
  idOf,
  keyOf,
  memberOf,
  newCall,
  servedBy,
  startFixture,
} from '#test/gateway/store/store-fixture.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(() => fixture.stop());

const WHOLE = { min: '', max: 'FF' };
const toRoom = { rule: memberOf, toId: idOf('room') };

it('counts what is live, once, by tenant and type; in halves it comes to the same', async () => {
  const { emulator, content, store } = fixture;
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

  const credential = { kind: 'key', key: emulator.key } as const;
  const parts = createParts({ endpoint: emulator.url, credential, content, clock: { now: Date.now } });
  const meter = { add: () => undefined };
  const whole = await takeCensus(parts, { span: WHOLE, meter });
  const inHalves = await takeCensus(parts, { span: WHOLE, meter, mostItems: 4 });
  await parts.account.close();
  if (whole.kind === 'denial' || inHalves.kind === 'denial') throw new Error('refused');
  const counts = Object.fromEntries(whole.sums.map(({ tenant, type, count }) => [`${tenant} ${type}`, count]));
  expect(counts).toEqual({ 'chat User': 11, 'chat memberOf': 10, 'chat members': 10 });
  expect(whole.sums.every(({ bytes }) => bytes > 0)).toBe(true);
  const byType = (one: { type: string }, other: { type: string }) => one.type.localeCompare(other.type);
  expect([...inHalves.sums].sort(byType)).toEqual([...whole.sums].sort(byType));
});
