import type { Container, FeedOptions, SqlQuerySpec } from '@azure/cosmos';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTarget, type Target } from './target.ts';

let target: Target;
/** Indexes every path, and one path. */
let wide: Container;
let narrow: Container;

const DOCUMENTS = [
  { id: 'a', pk: 'p', s: 'likes~1', n: 1, on: true, tags: ['x', 'y'], deep: { v: 'k' }, 'odd name': 7 },
  { id: 'b', pk: 'p', s: 'likes~2', n: 2.5, on: false, tags: [], deep: { v: null } },
  { id: 'c', pk: 'p', s: 'likes~3', n: -3, tags: [{ k: 1, l: 2 }] },
  { id: 'd', pk: 'p', n: 'text', s: 5 },
  { id: 'e', pk: 'p', n: null },
  { id: 'a', pk: 'q', s: 'likes~9', n: 9 },
];

beforeAll(async () => {
  target = await openTarget();
  wide = await target.container('wide', { indexingPolicy: 'everything' });
  narrow = await target.container('narrow');
  for (const document of DOCUMENTS) await Promise.all([wide.items.create(document), narrow.items.create(document)]);
});
afterAll(() => target.close());

async function ids(query: string | SqlQuerySpec, options: FeedOptions = { partitionKey: 'p' }, from = wide) {
  const { resources } = await from.items.query(query, options).fetchAll();
  return resources.map((resource: { id?: string }) => resource.id ?? resource);
}

const sortedIds = async (query: string | SqlQuerySpec, options?: FeedOptions, from?: Container) =>
  (await ids(query, options, from)).toSorted();

describe('filters', () => {
  it.each<[string, string[]]>([
    ['c.n = 1', ['a']],
    ["c.n = '1'", []],
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
    ['c.absent != 1', []],
    ['c.deep = {"v": "k"}', ['a']],
  ])('WHERE %s', async (where, expected) => {
    if (where.includes('{')) {
      const query = {
        query: 'SELECT * FROM c WHERE c.deep = @deep',
        parameters: [{ name: '@deep', value: { v: 'k' } }],
      };
      expect(await sortedIds(query)).toEqual(expected);
    } else expect(await sortedIds(`SELECT * FROM c WHERE ${where}`)).toEqual(expected);
  });

  it('decide the same with an index on exactly this path as with one on all', async () => {
    for (const where of ['c.s > "likes~1"', 'c.s = 5', 'c.s < "m"', 'c.s IN ("likes~1", 5)', 'c.s BETWEEN 0 AND 9']) {
      const query = `SELECT * FROM c WHERE ${where}`;
      expect(await sortedIds(query, { partitionKey: 'p' }, narrow), where).toEqual(await sortedIds(query));
    }
  });

  it('take parameters, objects among them', async () => {
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
    expect(await run('SELECT c.n, c.deep.v AS w, c.absent, 1 AS one FROM c WHERE c.id = "a"')).toEqual([
      { n: 1, w: 'k', one: 1 },
    ]);
    expect((await run('SELECT VALUE c.on FROM c')).toSorted()).toEqual([false, true]);
    expect(await run('SELECT VALUE r.id FROM root AS r WHERE r.n = 1')).toEqual(['a']);
    expect(await run('select top 2 value c.id from c order by c.id desc')).toEqual(['e', 'd']);
  });

  it('orders across kinds: null, numbers, strings', async () => {
    expect(await ids('SELECT * FROM c ORDER BY c.n')).toEqual(['e', 'c', 'a', 'b', 'd']);
    expect(await ids('SELECT * FROM c ORDER BY c.n DESC')).toEqual(['d', 'b', 'a', 'c', 'e']);
  });

  it('puts items without the path first', async () => {
    for (const from of [wide, narrow]) {
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
    expect(await ids('SELECT COUNT(1) AS many FROM c WHERE c.id = "a"')).toEqual([{ many: 1 }]);
    expect(await ids('SELECT VALUE COUNT(1) FROM c', {})).toEqual([6]);
  });
});

describe('across partitions', () => {
  it('reads all of them without a key, also through the query pipeline of the client', async () => {
    const sorted = ['a', 'a', 'b', 'c', 'd', 'e'];
    expect(await sortedIds('SELECT * FROM c', {})).toEqual(sorted);
    expect(await ids('SELECT * FROM c ORDER BY c.id', {})).toEqual(sorted);
    expect(await ids('SELECT * FROM c ORDER BY c.id', { forceQueryPlan: true, maxItemCount: 2 })).toEqual(sorted);
    expect(await ids('SELECT VALUE COUNT(1) FROM c', { forceQueryPlan: true })).toEqual([6]);
    expect((await wide.items.readAll().fetchAll()).resources).toHaveLength(6);
  });

  it('finds nothing of another partition', async () => {
    expect(await ids('SELECT * FROM c WHERE c.s = "likes~9"')).toEqual([]);
    expect(await ids('SELECT * FROM c WHERE c.s = "likes~9"', { partitionKey: 'q' })).toEqual(['a']);
  });
});
