import type { Container } from '@azure/cosmos';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { refusal } from '#test/gateway/emulator/with-emulator.ts';
import { isLocalTarget, openTarget, type Target } from './target.ts';

let target: Target;
let container: Container;
beforeAll(async () => {
  target = await openTarget();
  container = await target.container('unique', { uniqueKeys: [['/email'], ['/name/first', '/name/last']] });
});
afterAll(() => target.close());

const person = (id: string, pk: string, email: string | undefined, name: readonly [string, string]) => ({
  id,
  pk,
  ...(email === undefined ? {} : { email }),
  name: { first: name[0], last: name[1] },
});

it('a value is taken once in a partition and free in every other', async () => {
  await container.items.create(person('1', 'a', 'x@example.org', ['Ada', 'L']));
  const twice = await refusal(container.items.create(person('2', 'a', 'x@example.org', ['Bob', 'L'])));
  expect(twice.code).toBe(409);
  expect((await container.item('2', 'a').read()).statusCode).toBe(404);
  expect((await container.items.create(person('2', 'b', 'x@example.org', ['Bob', 'L']))).statusCode).toBe(201);
});

it('several paths count together', async () => {
  await container.items.create(person('1', 'pairs', '1', ['Ada', 'L']));
  expect((await container.items.create(person('2', 'pairs', '2', ['Ada', 'M']))).statusCode).toBe(201);
  expect((await refusal(container.items.create(person('3', 'pairs', '3', ['Ada', 'L'])))).code).toBe(409);
});

it('an absent value is a value: one item may be without', async () => {
  expect((await container.items.create(person('1', 'absent', undefined, ['A', '1']))).statusCode).toBe(201);
  expect((await refusal(container.items.create(person('2', 'absent', undefined, ['A', '2'])))).code).toBe(409);
});

it('replace, upsert and patch are held to it, and may keep their own value', async () => {
  await container.items.create(person('1', 'writes', '1', ['A', '1']));
  await container.items.create(person('2', 'writes', '2', ['A', '2']));
  const two = container.item('2', 'writes');
  expect((await refusal(two.replace(person('2', 'writes', '1', ['A', '2'])))).code).toBe(409);
  expect((await refusal(container.items.upsert(person('2', 'writes', '1', ['A', '2'])))).code).toBe(409);
  expect((await refusal(two.patch([{ op: 'set', path: '/email', value: '1' }]))).code).toBe(409);
  expect((await two.read()).resource.email).toBe('2');
  expect((await two.replace({ ...person('2', 'writes', '2', ['A', '2']), more: 1 })).statusCode).toBe(200);
});

it('a value is free again once its item is gone or has another', async () => {
  await container.items.create(person('1', 'free', '1', ['A', '1']));
  await container.item('1', 'free').patch([{ op: 'set', path: '/email', value: 'new' }]);
  expect((await container.items.create(person('2', 'free', '1', ['A', '2']))).statusCode).toBe(201);
  await container.item('2', 'free').delete();
  expect((await container.items.create(person('3', 'free', '1', ['A', '2']))).statusCode).toBe(201);
});

it('a batch that takes a value twice is rolled back', async () => {
  const { code, result } = await container.items.batch(
    [
      { operationType: 'Create', resourceBody: person('1', 'batch', 'same', ['A', '1']) },
      { operationType: 'Create', resourceBody: person('2', 'batch', 'same', ['A', '2']) },
    ],
    'batch',
  );
  expect([code, result?.map(({ statusCode }) => statusCode)]).toEqual([207, [424, 409]]);
  expect((await container.item('1', 'batch').read()).statusCode).toBe(404);
});

// The service frees the value when it purges the item, at a time of its own.
it.runIf(isLocalTarget())('an item that has expired holds no value', async () => {
  await container.items.create({ ...person('1', 'ttl', '1', ['A', '1']), ttl: 1 });
  await target.passSeconds(3);
  expect((await container.items.create(person('2', 'ttl', '1', ['A', '1']))).statusCode).toBe(201);
});
