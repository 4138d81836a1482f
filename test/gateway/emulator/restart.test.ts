import { ChangeFeedStartFrom, type Container, type ItemDefinition } from '@azure/cosmos';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startTestEmulator, type TestEmulator } from './with-emulator.ts';

let test: TestEmulator;
let container: Container;
beforeEach(async () => {
  test = await startTestEmulator();
  container = await test.container('c');
  for (let at = 0; at < 9; at += 1) await container.items.create({ id: `i${at}`, pk: `p${at % 3}`, s: `s${at}` });
});
afterEach(() => test.close());

/** The same folder under a new process's eyes: another port, another client. */
async function restart(): Promise<void> {
  const { dir, emulator, client } = test;
  client.dispose();
  await emulator.close();
  test = await startTestEmulator({ dir });
  container = test.client.database('test').container('c');
}

it('a token of the change feed goes on where it stood', async () => {
  const feed = (from: ChangeFeedStartFrom) =>
    container.items.getChangeFeedIterator<ItemDefinition>({ changeFeedStartFrom: from, maxItemCount: 4 });
  const first = await feed(ChangeFeedStartFrom.Beginning()).readNext();
  await restart();
  await container.items.create({ id: 'new', pk: 'p0' });
  const rest: (string | undefined)[] = [];
  const iterator = feed(ChangeFeedStartFrom.Continuation(first.continuationToken));
  for (let page = await iterator.readNext(); page.statusCode !== 304; page = await iterator.readNext()) {
    rest.push(...page.result.map(({ id }) => id));
  }
  expect([...first.result.map(({ id }) => id), ...rest]).toEqual([
    ...Array.from({ length: 9 }, (_, at) => `i${at}`),
    'new',
  ]);
});

it('a token of a query goes on where it stood', async () => {
  const query = 'SELECT * FROM c ORDER BY c.s DESC';
  const page = async (continuationToken?: string) => {
    const options = { partitionKey: 'p1', maxItemCount: 2, ...(continuationToken ? { continuationToken } : {}) };
    return container.items.query<ItemDefinition>(query, options).fetchNext();
  };
  const first = await page();
  await restart();
  const second = await page(first.continuationToken);
  expect([...first.resources, ...second.resources].map(({ id }) => id)).toEqual(['i7', 'i4', 'i1']);
});
