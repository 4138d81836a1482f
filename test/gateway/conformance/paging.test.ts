import type { Container, FeedOptions, IndexingPolicy } from '@azure/cosmos';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refusal } from '#test/gateway/emulator/with-emulator.ts';
import { openTarget, type Target } from './target.ts';

const COMPOSITE = {
  includedPaths: [{ path: '/*' }],
  excludedPaths: [],
  compositeIndexes: [
    [
      { path: '/a', order: 'ascending' },
      { path: '/b', order: 'descending' },
    ],
  ],
} as unknown as IndexingPolicy;

let target: Target;
let container: Container;
const WRITTEN = Array.from({ length: 40 }, (_, at) => ({
  id: `i${at}`,
  pk: 'p',
  s: `k${at % 8}`,
  a: at % 3,
  b: at % 7,
}));

beforeAll(async () => {
  target = await openTarget();
  container = await target.container('pages', { indexingPolicy: COMPOSITE });
  for (const document of WRITTEN) await container.items.create(document);
});
afterAll(() => target.close());

async function whole(query: string): Promise<string[]> {
  const { resources } = await container.items.query<{ id: string }>(query, { partitionKey: 'p' }).fetchAll();
  return resources.map(({ id }) => id);
}

/** Each page through a new iterator, as a client does that was started anew. */
async function paged(query: string, maxItemCount: number): Promise<string[]> {
  const found: string[] = [];
  let continuationToken: string | undefined;
  do {
    const options: FeedOptions = {
      partitionKey: 'p',
      maxItemCount,
      ...(continuationToken === undefined ? {} : { continuationToken }),
    };
    const page = await container.items.query<{ id: string }>(query, options).fetchNext();
    const resources = page.resources ?? [];
    expect(resources.length).toBeLessThanOrEqual(maxItemCount);
    found.push(...resources.map(({ id }) => id));
    continuationToken = page.continuationToken;
  } while (continuationToken !== undefined);
  return found;
}

// Many items share each key, so that pages end inside of equals.
it.each([
  'SELECT * FROM c',
  'SELECT * FROM c ORDER BY c.s',
  'SELECT * FROM c ORDER BY c.s DESC',
  'SELECT * FROM c WHERE c.s > "k3" AND c.s < "k6" ORDER BY c.s',
  'SELECT * FROM c ORDER BY c.a ASC, c.b DESC',
  'SELECT * FROM c ORDER BY c.a DESC, c.b ASC',
])('%s is walked in pages that add up to the whole', async (query) => {
  const all = await whole(query);
  expect(await paged(query, 7)).toEqual(all);
  expect(new Set(all).size).toBe(all.length);
});

describe('an order by two paths', () => {
  const sorted = (direction: 1 | -1): number[][] =>
    WRITTEN.map(({ a, b }) => [a, b]).toSorted(
      ([a1 = 0, b1 = 0], [a2 = 0, b2 = 0]) => direction * (a1 - a2 || b2 - b1),
    );

  it('is that of its composite index, from either end', async () => {
    const pairs = async (order: string) => {
      const query = `SELECT c.a, c.b FROM c ORDER BY ${order}`;
      const { resources } = await container.items
        .query<{ a: number; b: number }>(query, { partitionKey: 'p' })
        .fetchAll();
      return resources.map(({ a, b }) => [a, b]);
    };
    expect(await pairs('c.a, c.b DESC')).toEqual(sorted(1));
    expect(await pairs('c.a DESC, c.b ASC')).toEqual(sorted(-1));
  });

  it.each(['c.a, c.b', 'c.a DESC, c.b DESC', 'c.b DESC, c.a', 'c.a, c.s'])(
    'ORDER BY %s is refused: no index has it',
    async (order) => {
      expect((await refusal(whole(`SELECT * FROM c ORDER BY ${order}`))).code).toBe(400);
    },
  );
});
