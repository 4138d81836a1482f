import type { Container, OperationInput } from '@azure/cosmos';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTarget, type Target } from './target.ts';

let target: Target;
let container: Container;
beforeAll(async () => {
  target = await openTarget();
  container = await target.container('bulk');
});
afterAll(() => target.close());

const create = (id: string, partitionKey: string): OperationInput & { partitionKey: string } => ({
  operationType: 'Create',
  partitionKey,
  resourceBody: { id, pk: partitionKey, v: 1 },
});

it('carries out every operation for itself, over many partitions', async () => {
  await container.items.create({ id: 'taken', pk: 'p1', v: 0 });
  const results = await container.items.executeBulkOperations([
    create('a', 'p1'),
    create('taken', 'p1'),
    create('b', 'p2'),
    { operationType: 'Read', id: 'absent', partitionKey: 'p2' },
    { operationType: 'Upsert', partitionKey: 'p3', resourceBody: { id: 'u', pk: 'p3' } },
    { operationType: 'Patch', id: 'taken', partitionKey: 'p1', resourceBody: [{ op: 'incr', path: '/v', value: 5 }] },
  ]);
  const codes = results.map(({ response, error }) => response?.statusCode ?? error?.code);
  expect(codes).toEqual([201, 409, 201, 404, 201, 200]);
  expect((await container.item('a', 'p1').read()).resource.v).toBe(1);
  expect((await container.item('taken', 'p1').read()).resource.v).toBe(5);
  expect((await container.item('b', 'p2').read()).statusCode).toBe(200);
});

it('takes more operations than one request holds', async () => {
  const operations = Array.from({ length: 250 }, (_, at) => create(`many${at}`, `m${at % 7}`));
  const results = await container.items.executeBulkOperations(operations);
  expect(results.filter(({ response }) => response?.statusCode === 201)).toHaveLength(250);
  const { resources } = await container.items
    .query<number>('SELECT VALUE COUNT(1) FROM c WHERE c.v = 1', { partitionKey: 'm3', enableScanInQuery: true })
    .fetchAll();
  expect(resources).toEqual([36]);
});

it('stops at the first refusal when asked to, and tells the others so', async () => {
  const operations = [create('s1', 'stop'), create('s1', 'stop'), create('s2', 'stop')];
  const results = await container.items.bulk(operations, { continueOnError: false });
  expect(results.map(({ statusCode }) => statusCode)).toEqual([201, 409, 424]);
  expect((await container.item('s1', 'stop').read()).statusCode).toBe(200);
  expect((await container.item('s2', 'stop').read()).statusCode).toBe(404);
});
