import { ChangeFeedStartFrom, type Container, type ItemDefinition, PartitionKeyKind } from '@azure/cosmos';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { refusal } from '#test/gateway/emulator/with-emulator.ts';
import { isLocalTarget, openTarget, type Target } from './target.ts';

let target: Target;
let container: Container;
beforeAll(async () => {
  target = await openTarget();
  const paths = ['/tenant', '/user', '/session'];
  container = await target.container('levels', {
    partitionKey: { paths, version: 2, kind: PartitionKeyKind.MultiHash },
    indexingPolicy: 'everything',
  });
  for (const [tenant, user, session] of KEYS) {
    await container.items.create({ id: `${tenant}${user}${session}`, tenant, user, session });
  }
});
afterAll(() => target.close());

const KEYS = [
  ['a', 'x', '1'],
  ['a', 'x', '2'],
  ['a', 'y', '1'],
  ['a,', 'x', '1'],
  ['b', 'x', '1'],
] as const;

const ids = async (query: string, partitionKey?: string[]) => {
  const options = partitionKey === undefined ? {} : { partitionKey };
  const { resources } = await container.items.query<string>(query, options).fetchAll();
  return resources.toSorted();
};

it('an item is addressed by all levels of its key', async () => {
  expect((await container.item('ax1', ['a', 'x', '1']).read()).statusCode).toBe(200);
  expect((await container.item('ax1', ['a', 'x', '2']).read()).statusCode).toBe(404);
  expect((await refusal(container.item('ax1', ['a', 'x']).read())).code).toBe(400);
});

it('the same id lives in every partition', async () => {
  await container.items.create({ id: 'same', tenant: 's', user: 'x', session: '1', v: 1 });
  await container.items.create({ id: 'same', tenant: 's', user: 'x', session: '2', v: 2 });
  expect((await container.item('same', ['s', 'x', '2']).read()).resource.v).toBe(2);
  expect(await ids('SELECT VALUE c.v FROM c', ['s', 'x', '1'])).toEqual([1]);
});

it('a filter on the first levels finds all partitions below', async () => {
  expect(await ids("SELECT VALUE c.id FROM c WHERE c.tenant = 'a'")).toEqual(['ax1', 'ax2', 'ay1']);
  expect(await ids("SELECT VALUE c.id FROM c WHERE c.tenant = 'a' AND c.user = 'x'")).toEqual(['ax1', 'ax2']);
});

it('the change feed of the first levels holds the items of all partitions below', async () => {
  const read = async (key: string[]) => {
    const changeFeedStartFrom = ChangeFeedStartFrom.Beginning(key);
    const iterator = container.items.getChangeFeedIterator<ItemDefinition>({ changeFeedStartFrom });
    return (await iterator.readNext()).result?.map(({ id }) => id);
  };
  expect(await read(['a'])).toEqual(['ax1', 'ax2', 'ay1']);
  expect(await read(['a', 'x'])).toEqual(['ax1', 'ax2']);
  expect(await read(['a', 'x', '2'])).toEqual(['ax2']);
});

// How the service reads the header of a query whose key is cut short is not written down.
it.runIf(isLocalTarget())('a query whose key is cut short reads all partitions below, page by page', async () => {
  expect(await ids('SELECT VALUE c.id FROM c', ['a'])).toEqual(['ax1', 'ax2', 'ay1']);
  expect(await ids('SELECT VALUE c.id FROM c ORDER BY c.id', ['a', 'x'])).toEqual(['ax1', 'ax2']);
  expect(await ids('SELECT VALUE c.id FROM c', ['a,'])).toEqual(['a,x1']);
  expect(await ids('SELECT VALUE c.id FROM c', ['none'])).toEqual([]);
  const options = { partitionKey: ['a'], maxItemCount: 1 };
  const { resources } = await container.items.query('SELECT * FROM c', options).fetchAll();
  expect(resources).toHaveLength(3);
});
