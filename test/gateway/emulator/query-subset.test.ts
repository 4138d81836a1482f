import type { Container, FeedOptions, SqlQuerySpec } from '@azure/cosmos';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { refusal, startTestEmulator, type TestEmulator } from './with-emulator.ts';

// What this endpoint refuses and the service may not: a query never means less here than it says.

let test: TestEmulator;
let wide: Container;
let strict: Container;
beforeAll(async () => {
  test = await startTestEmulator();
  wide = await test.container('wide', { indexEverything: true });
  strict = await test.container('strict');
  for (const container of [wide, strict]) {
    await container.items.create({ id: 'a', pk: 'p', n: 1, s: 'x' });
    await container.items.create({ id: 'b', pk: 'p', n: 2, s: 'y' });
  }
});
afterAll(() => test.close());

async function ids(query: string | SqlQuerySpec, options: FeedOptions = { partitionKey: 'p' }, from = wide) {
  const { resources } = await from.items.query<{ id: string }>(query, options).fetchAll();
  return resources.map(({ id }) => id);
}

it.each([
  'SELECT DISTINCT c.n FROM c',
  'SELECT * FROM c JOIN t IN c.tags',
  'SELECT * FROM t IN c.tags',
  'SELECT c.n, COUNT(1) FROM c GROUP BY c.n',
  'SELECT VALUE SUM(c.n) FROM c',
  'SELECT * FROM c WHERE CONTAINS(c.s, "x")',
  'SELECT * FROM c WHERE c.n + 1 = 2',
  'SELECT * FROM c WHERE c.s LIKE "x%"',
  'SELECT * FROM c WHERE EXISTS(SELECT 1 FROM c)',
  'SELECT * FROM c ORDER BY c.n, c.s',
  'SELECT * FROM c WHERE d.n = 1',
  'SELECT * FROM c WHERE c.n = @missing',
  'SELECT * FROM c WHERE c.n = 1;',
  'SELECT * FROM c LIMIT 1',
  'SELECT * WHERE 1 = 1',
  'DELETE FROM c',
  '',
])('refuses %j', async (query) => {
  expect((await refusal(ids({ query, parameters: [] }))).code).toBe(400);
});

it('refuses a filter or an order on a path that is not indexed, unless the client asks for a scan', async () => {
  for (const query of [
    'SELECT * FROM c WHERE c.n = 1',
    'SELECT * FROM c ORDER BY c.n',
    'SELECT * FROM c WHERE NOT IS_DEFINED(c.n)',
  ]) {
    const { code, message } = await refusal(ids(query, { partitionKey: 'p' }, strict));
    expect([code, message]).toEqual([400, expect.stringContaining('/n is excluded from indexing')]);
  }
  const options = { partitionKey: 'p', enableScanInQuery: true };
  expect(await ids('SELECT * FROM c WHERE c.n = 1', options, strict)).toEqual(['a']);
  expect(await ids('SELECT * FROM c WHERE c.pk = "p" AND c.id = "b"', { partitionKey: 'p' }, strict)).toEqual(['b']);
});

it('refuses the token of another query, of another partition, and one that was changed', async () => {
  const options = { partitionKey: 'p', maxItemCount: 1 };
  const { continuationToken } = await wide.items.query('SELECT * FROM c', options).fetchNext();
  expect(continuationToken).toBeDefined();
  const other = ids('SELECT * FROM c WHERE c.n > 0', { ...options, continuationToken });
  expect((await refusal(other)).code).toBe(400);
  const elsewhere = ids('SELECT * FROM c', { ...options, partitionKey: 'q', continuationToken });
  expect((await refusal(elsewhere)).code).toBe(400);
  const broken = ids('SELECT * FROM c', { ...options, continuationToken: 'bm90IG9uZQ' });
  expect((await refusal(broken)).code).toBe(400);
});
