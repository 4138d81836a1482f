import { ChangeFeedStartFrom, type OperationInput } from '@azure/cosmos';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { refusal } from '#test/gateway/emulator/with-emulator.ts';
import { openTarget, type Target } from './target.ts';

let target: Target;
beforeAll(async () => {
  target = await openTarget();
});
afterAll(() => target.close());

const MB = 1024 * 1024;

it('an item has at most 2 MB, and a refused one leaves nothing', async () => {
  const container = await target.container('limits');
  const big = await refusal(container.items.create({ id: 'big', pk: 'a', fill: 'x'.repeat(2 * MB) }));
  expect(big.code).toBe(413);
  expect((await container.item('big', 'a').read()).statusCode).toBe(404);
  const fits = await container.items.create({ id: 'fits', pk: 'a', fill: 'x'.repeat(2 * MB - 4_096) });
  expect(fits.statusCode).toBe(201);
  const grown = container.item('fits', 'a').patch([{ op: 'set', path: '/more', value: 'x'.repeat(8_192) }]);
  expect((await refusal(grown)).code).toBe(413);
});

it('an id has at most 1,023 bytes, a partition key at most 2,048', async () => {
  const container = await target.container('limits');
  expect((await container.items.create({ id: 'i'.repeat(1_023), pk: 'a' })).statusCode).toBe(201);
  expect((await refusal(container.items.create({ id: 'i'.repeat(1_024), pk: 'a' }))).code).toBe(400);
  expect((await refusal(container.items.create({ id: '€'.repeat(342), pk: 'a' }))).code).toBe(400);
  expect((await container.items.create({ id: 'k', pk: 'p'.repeat(2_048) })).statusCode).toBe(201);
  expect((await refusal(container.items.create({ id: 'k', pk: 'p'.repeat(2_049) }))).code).toBe(400);
});

it('objects and arrays lie inside each other at most 128 deep', async () => {
  const container = await target.container('limits');
  const nested = (depth: number): unknown => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`);
  expect((await container.items.create({ id: 'deep', pk: 'a', v: nested(120) })).statusCode).toBe(201);
  expect((await refusal(container.items.create({ id: 'deeper', pk: 'a', v: nested(200) }))).code).toBe(400);
  const patched = container.item('deep', 'a').patch([{ op: 'set', path: '/v', value: nested(200) }]);
  expect((await refusal(patched)).code).toBe(400);
});

it('a patch has at most 10 operations', async () => {
  const container = await target.container('limits');
  await container.items.create({ id: 'patched', pk: 'a', n: 0 });
  const steps = (count: number) => Array.from({ length: count }, () => ({ op: 'incr' as const, path: '/n', value: 1 }));
  expect((await container.item('patched', 'a').patch(steps(10))).resource.n).toBe(10);
  expect((await refusal(container.item('patched', 'a').patch(steps(11)))).code).toBe(400);
});

it('a batch has at most 2 MB, and a refused one leaves nothing', async () => {
  const container = await target.container('limits');
  const create = (id: string): OperationInput => ({
    operationType: 'Create',
    resourceBody: { id, pk: 'heavy', fill: 'x'.repeat(1.1 * MB) },
  });
  expect((await refusal(container.items.batch([create('1'), create('2')], 'heavy'))).code).toBe(413);
  expect((await container.item('1', 'heavy').read()).statusCode).toBe(404);
});

it('a page of results ends at about 4 MB, however many bytes its letters take', async () => {
  const container = await target.container('limits');
  const fill = '€'.repeat(MB / 3);
  for (let at = 0; at < 6; at += 1) await container.items.create({ id: `m${at}`, pk: 'pages', fill });
  const iterator = container.items.query('SELECT * FROM c', { partitionKey: 'pages' });
  const sizes: number[] = [];
  while (iterator.hasMoreResults()) {
    const { resources } = await iterator.fetchNext();
    if (resources !== undefined && resources.length > 0) sizes.push(resources.length);
  }
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(6);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(4);
  const feed = container.items.getChangeFeedIterator({ changeFeedStartFrom: ChangeFeedStartFrom.Beginning('pages') });
  const fed: number[] = [];
  for (;;) {
    const page = await feed.readNext();
    if (page.statusCode === 304) break;
    fed.push(page.count);
  }
  expect(fed.reduce((sum, count) => sum + count, 0)).toBe(6);
  expect(Math.max(...fed)).toBeLessThanOrEqual(4);
});
