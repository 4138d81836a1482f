import { rmSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startEmulator } from '#gateway/emulator/start.ts';
import { ACCOUNT, type Place, startTwoRegions, type TwoRegions } from './two-regions.ts';
import { newFolder, refusal } from './with-emulator.ts';

/** A create of a small item costs 4.95, so the third in a second finds the budget spent. */
const LIMIT = 9;

let test: TwoRegions;
let nowMs: number;
beforeEach(async () => {
  nowMs = Date.now();
  test = await startTwoRegions({ partitionRuPerSecond: LIMIT, nowMs: () => nowMs });
});
afterEach(() => test.close());

let made = 0;
const create = ({ container }: Place, pk: string) => container.items.create({ id: `i${++made}`, pk });

const throttled = () => test.emulator.state().accounts[0]?.regions.map((region) => region.throttled);

async function spend(place: Place, pk: string): Promise<void> {
  await create(place, pk);
  await create(place, pk);
}

it('a partition over its budget is answered 429/3200 with the time to wait, and nothing is written', async () => {
  await spend(test.east, 'p');
  const reply = await test.east.raw('', 'p', { method: 'POST', body: '{"id":"over","pk":"p"}' });
  // 9 - 2 * 4.95 = -0.9, which 9 a second make up in 100 ms.
  expect(reply).toMatchObject({
    status: 429,
    headers: { 'x-ms-substatus': '3200', 'x-ms-retry-after-ms': '101', 'x-ms-request-charge': '0.38' },
  });
  expect(JSON.parse(reply.body)).toEqual({ code: '429', message: expect.stringContaining('Request rate is large') });
  expect(reply.headers).toHaveProperty('x-ms-session-token');
  expect(await refusal(create(test.east, 'p'))).toMatchObject({ code: 429, substatus: 3200 });
  expect(throttled()).toEqual([2, 0]);
  nowMs += 1_000;
  expect((await test.east.raw('over', 'p')).status).toBe(404);
});

it('the time to wait is enough', async () => {
  await spend(test.east, 'p');
  const reply = await test.east.raw('any', 'p');
  expect(reply.status).toBe(429);
  nowMs += Number(reply.headers['x-ms-retry-after-ms']) - 2;
  expect((await test.east.raw('any', 'p')).status).toBe(429);
  nowMs += 2;
  expect((await test.east.raw('any', 'p')).status).toBe(404);
});

it('each partition and each region has a budget of its own', async () => {
  await spend(test.east, 'p');
  expect((await test.east.raw('any', 'p')).status).toBe(429);
  expect((await test.east.raw('any', 'q')).status).toBe(404);
  expect((await test.west.raw('any', 'p')).status).toBe(404);
  // The same key, written otherwise.
  const spaced = { 'x-ms-documentdb-partitionkey': '[ "p" ]' };
  expect((await test.east.raw('any', 'p', { headers: spaced })).status).toBe(429);
});

it('batches, queries and refusals are paid for as well', async () => {
  const { container } = test.east;
  const reads = Array.from({ length: 9 }, () => ({ operationType: 'Read' as const, id: 'absent' }));
  expect((await container.items.batch(reads, 'failing')).code).toBe(207);
  for (let n = 0; n < 9; n += 1) expect((await test.east.raw('absent', 'missed')).status).toBe(404);
  expect((await test.east.raw('absent', 'missed')).status).toBe(429);
  for (let n = 0; n < 4; n += 1) await container.items.query('SELECT * FROM c', { partitionKey: 'asked' }).fetchAll();
  const query = container.items.query('SELECT * FROM c', { partitionKey: 'asked' }).fetchAll();
  expect((await refusal(query)).code).toBe(429);
});

it('what was paid for is the charge of the reply', async () => {
  const reply = await test.east.raw('', 'p', {
    method: 'POST',
    body: JSON.stringify({ id: 'big', pk: 'p', fill: 'x'.repeat(200_000) }),
  });
  const chargeRu = Number(reply.headers['x-ms-request-charge']);
  expect(chargeRu).toBeGreaterThan(50);
  const waitMs = Number((await test.east.raw('any', 'p')).headers['x-ms-retry-after-ms']);
  expect(waitMs).toBe(Math.floor(((chargeRu - LIMIT) / LIMIT) * 1_000) + 1);
});

it('can be set while it runs, and lifted', async () => {
  await spend(test.east, 'p');
  test.emulator.setBudget(ACCOUNT, null);
  expect((await test.east.raw('any', 'p')).status).toBe(404);
  test.emulator.setBudget(ACCOUNT, 5);
  await create(test.east, 'q');
  await create(test.east, 'q');
  expect(await refusal(create(test.east, 'q'))).toMatchObject({ code: 429 });
});

it('is 10,000 a second unless told otherwise', async () => {
  const dir = newFolder();
  const emulator = await startEmulator({ dir, port: 0 });
  expect(emulator.state().accounts[0]?.partitionRuPerSecond).toBe(10_000);
  await emulator.close();
  rmSync(dir, { recursive: true });
});
