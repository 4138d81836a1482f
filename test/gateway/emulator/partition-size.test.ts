import type { Container } from '@azure/cosmos';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { refusal, startTestEmulator, type TestEmulator } from './with-emulator.ts';

let test: TestEmulator;
let container: Container;
beforeAll(async () => {
  test = await startTestEmulator({ partitionBytes: 10_000 });
  container = await test.container('sizes');
});
afterAll(() => test.close());

const item = (id: string, pk: string, bytes: number) => ({ id, pk, fill: 'x'.repeat(bytes) });
const FULL = { code: 403, substatus: 1014 };

it('a full partition takes no more, others do, and it takes more again once there is room', async () => {
  await container.items.create(item('1', 'full', 6_000));
  expect(await refusal(container.items.create(item('2', 'full', 6_000)))).toMatchObject(FULL);
  expect((await container.item('2', 'full').read()).statusCode).toBe(404);
  expect((await container.items.create(item('2', 'other', 6_000))).statusCode).toBe(201);
  const grown = container.item('1', 'full').patch([{ op: 'set', path: '/more', value: 'x'.repeat(6_000) }]);
  expect(await refusal(grown)).toMatchObject(FULL);
  expect((await container.item('1', 'full').replace(item('1', 'full', 2_000))).statusCode).toBe(200);
  expect((await container.items.create(item('2', 'full', 6_000))).statusCode).toBe(201);
  expect((await container.item('2', 'full').delete()).statusCode).toBe(204);
  expect((await container.items.upsert(item('3', 'full', 6_000))).statusCode).toBe(201);
});

it('a batch that does not fit is rolled back and blames the operation that was too much', async () => {
  const create = (id: string) => ({ operationType: 'Create' as const, resourceBody: item(id, 'batch', 4_000) });
  const { code, result } = await container.items.batch([create('1'), create('2'), create('3')], 'batch');
  expect([code, result?.map(({ statusCode }) => statusCode)]).toEqual([207, [424, 424, 403]]);
  expect((await container.items.batch([create('1'), create('2')], 'batch')).code).toBe(200);
});

it('an item that was refused takes no room, and one that expired gives its room back when it is replaced', async () => {
  await container.items.create({ ...item('1', 'ttl', 6_000), ttl: 5 });
  expect((await refusal(container.items.create(item('1', 'ttl', 6_000)))).code).toBe(409);
  test.clock.offsetMs += 6_000;
  expect((await container.items.create(item('1', 'ttl', 6_500))).statusCode).toBe(201);
});

it('a restart forgets nothing of it', async () => {
  await container.items.create(item('1', 'restart', 6_000));
  const { dir } = test;
  await test.emulator.close();
  const again = await startTestEmulator({ dir, partitionBytes: 10_000 });
  const reopened = again.client.database('test').container('sizes');
  expect(await refusal(reopened.items.create(item('2', 'restart', 6_000)))).toMatchObject(FULL);
  await again.close();
});
