import type { Container, FeedOptions, SqlQuerySpec } from '@azure/cosmos';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refusal, startTestEmulator, type TestEmulator } from './with-emulator.ts';

let test: TestEmulator;
let wide: Container;
let strict: Container;
const DOCUMENTS = [
  { id: 'a', pk: 'p', s: 'likes~1', n: 1, on: true, tags: ['x', 'y'], deep: { v: 'k' }, 'odd name': 7 },
  { id: 'b', pk: 'p', s: 'likes~2', n: 2.5, on: false, tags: [], deep: { v: null } },
  { id: 'c', pk: 'p', s: 'likes~3', n: -3, tags: [{ k: 1, l: 2 }] },
  { id: 'd', pk: 'p', n: 'text', s: 5 },
  { id: 'e', pk: 'p', n: null },
  { id: 'a', pk: 'q', s: 'likes~9', n: 9 },
];

beforeAll(async () => {
  test = await startTestEmulator();
  wide = await test.container('wide', { indexEverything: true });
  strict = await test.container('strict');
  for (const document of DOCUMENTS) await Promise.all([wide.items.create(document), strict.items.create(document)]);
});
afterAll(() => test.close());

async function ids(query: string | SqlQuerySpec, options: FeedOptions = { partitionKey: 'p' }, from = wide) {
  const { resources } = await from.items.query(query, options).fetchAll();
  return resources.map((resource: { id?: string }) => resource.id ?? resource);
}

describe('filters', () => {
  it.each<[string, string[]]>([
    ['c.n = 1', ['a']],
    ['c.n != 1', ['b', 'c', 'd', 'e']],
    ['c.n > 0', ['a', 'b']],
    ['c.n <= -3', ['c']],
    ['2 < c.n', ['b']],
    ['c.n < "z"', ['d']],
    ['c.n = null', ['e']],
    ['c.on = true', ['a']],
    ['c.on', ['a']],
    ['NOT c.on', ['b']],
    ['NOT c.n > 0', ['c']],
    ['c.n BETWEEN 1 AND 2.5', ['a', 'b']],
    ['c.n NOT BETWEEN 1 AND 2.5', ['c']],
    ['c.n IN (1, "text", null)', ['a', 'd', 'e']],
    ['c.id NOT IN ("a", "b", "c")', ['d', 'e']],
    ['c.id = "a" OR c.n = -3 AND c.id = "c"', ['a', 'c']],
    ['(c.id = "a" OR c.n = -3) AND c.id = "c"', ['c']],
    ['IS_DEFINED(c.deep.v)', ['a', 'b']],
    ['NOT IS_DEFINED(c.on)', ['c', 'd', 'e']],
    ['ARRAY_CONTAINS(c.tags, "x")', ['a']],
    ['ARRAY_CONTAINS(c.tags, c.id)', []],
    ["c['odd name'] = 7", ['a']],
    ['c.tags[1] = "y"', ['a']],
    ['c.id = 5', []],
    ['c.s > "likes~1" AND c.s < "likes~3"', ['b']],
    ['c.s >= "likes~3" AND c.absent = 1', []],
    ['c.s > 4', ['d']],
    ['c._ts > 0 AND c.id > "c"', ['d', 'e']],
    ['c.n = undefined', []],
  ])('WHERE %s', async (where, expected) => {
    expect(await ids(`SELECT * FROM c WHERE ${where}`)).toEqual(expected);
  });

  it('decides the same with an index on the path as without one', async () => {
    for (const where of ['c.s > "likes~1"', 'c.s = 5', 'c.s < "m"', 'c.s IN ("likes~1", 5)', 'c.s BETWEEN 0 AND 9']) {
      const [plain, indexed] = [
        await ids(`SELECT * FROM c WHERE ${where}`),
        await ids(`SELECT * FROM c WHERE ${where}`, { partitionKey: 'p' }, strict),
      ];
      expect(indexed.sort(), where).toEqual(plain.sort());
    }
  });

  it('takes parameters, objects among them', async () => {
    const parameters = [
      { name: '@tag', value: { k: 1 } },
      { name: '@ids', value: ['a', 'c'] },
    ];
    const query = 'SELECT * FROM c WHERE ARRAY_CONTAINS(c.tags, @tag, true) AND ARRAY_CONTAINS(@ids, c.id)';
    expect(await ids({ query, parameters })).toEqual(['c']);
  });
});

describe('selection and order', () => {
  it('projects lists, values and names', async () => {
    const run = async (query: string) => (await wide.items.query(query, { partitionKey: 'p' }).fetchAll()).resources;
    expect(await run('SELECT c.n, c.deep.v AS w, c.absent, 1 FROM c WHERE c.id = "a"')).toEqual([
      { n: 1, w: 'k', $4: 1 },
    ]);
    expect(await run('SELECT VALUE c.on FROM c')).toEqual([true, false]);
    expect(await run('SELECT VALUE r.id FROM root AS r WHERE r.n = 1')).toEqual(['a']);
    expect(await run('select top 2 value c.id from c order by c.id desc')).toEqual(['e', 'd']);
  });

  it('orders across kinds as the service does: null, numbers, strings', async () => {
    expect(await ids('SELECT * FROM c ORDER BY c.n')).toEqual(['e', 'c', 'a', 'b', 'd']);
    expect(await ids('SELECT * FROM c ORDER BY c.n DESC')).toEqual(['d', 'b', 'a', 'c', 'e']);
  });

  it('puts items without the path first, indexed by name or not', async () => {
    for (const from of [wide, strict]) {
      const rising = await ids('SELECT * FROM c ORDER BY c.s', { partitionKey: 'p' }, from);
      expect(rising).toEqual(['e', 'd', 'a', 'b', 'c']);
      const falling = await ids('SELECT * FROM c ORDER BY c.s DESC', { partitionKey: 'p' }, from);
      expect(falling).toEqual(rising.toReversed());
    }
  });

  it('skips and cuts', async () => {
    expect(await ids('SELECT * FROM c ORDER BY c.id OFFSET 1 LIMIT 2')).toEqual(['b', 'c']);
    expect(await ids('SELECT * FROM c ORDER BY c.id OFFSET 1 LIMIT 0')).toEqual([]);
  });

  it('counts', async () => {
    expect(await ids('SELECT VALUE COUNT(1) FROM c')).toEqual([5]);
    expect(await ids('SELECT VALUE COUNT(1) FROM c WHERE c.n > 0')).toEqual([2]);
    expect(await ids('SELECT COUNT(c) AS many FROM c WHERE c.id = "a"')).toEqual([{ many: 1 }]);
    expect(await ids('SELECT VALUE COUNT(1) FROM c', {})).toEqual([6]);
  });
});

describe('across partitions', () => {
  it('reads all of them without a key, also through the client’s own query pipeline', async () => {
    const sorted = ['a', 'a', 'b', 'c', 'd', 'e'];
    expect((await ids('SELECT * FROM c', {})).sort()).toEqual(sorted);
    expect(await ids('SELECT * FROM c ORDER BY c.id', {})).toEqual(sorted);
    expect(await ids('SELECT * FROM c ORDER BY c.id', { forceQueryPlan: true, maxItemCount: 2 })).toEqual(sorted);
    expect(await ids('SELECT VALUE COUNT(1) FROM c', { forceQueryPlan: true })).toEqual([6]);
    expect((await wide.items.readAll().fetchAll()).resources).toHaveLength(6);
  });
});

describe('what is not in the subset', () => {
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
});

describe('continuation', () => {
  it.each([
    'SELECT * FROM c',
    'SELECT * FROM c ORDER BY c.s',
    'SELECT * FROM c ORDER BY c.s DESC',
    'SELECT * FROM c WHERE c.s > "k3" AND c.s < "k6" ORDER BY c.s',
    'SELECT * FROM c ORDER BY c._ts DESC',
    'SELECT * FROM c ORDER BY c.s OFFSET 3 LIMIT 11',
  ])('walks %s in pages that add up to the whole', async (query) => {
    const container = await test.container('pages');
    // Many items share each key, so that a page ends inside of equals.
    await Promise.all(
      Array.from({ length: 40 }, (_, at) => container.items.upsert({ id: `i${at}`, pk: 'p', s: `k${at % 8}` })),
    );
    const whole = await ids(query, { partitionKey: 'p' }, container);
    const paged: unknown[] = [];
    let continuationToken: string | undefined;
    do {
      const options: FeedOptions = {
        partitionKey: 'p',
        maxItemCount: 7,
        ...(continuationToken ? { continuationToken } : {}),
      };
      const page = await container.items.query<{ id: string }>(query, options).fetchNext();
      expect(page.resources.length).toBeLessThanOrEqual(7);
      paged.push(...page.resources.map(({ id }) => id));
      continuationToken = page.continuationToken;
    } while (continuationToken !== undefined);
    expect(paged).toEqual(whole);
    expect(new Set(paged).size).toBe(paged.length);
  });

  it('refuses the token of another query and one that was changed', async () => {
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
});

it('names the one partition key range over the whole space', async () => {
  const { resources } = await wide.readPartitionKeyRanges().fetchAll();
  expect(resources.map(({ id, minInclusive, maxExclusive }) => [id, minInclusive, maxExclusive])).toEqual([
    ['0', '', 'FF'],
  ]);
});
