import type { Container, OperationInput } from '@azure/cosmos';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isLocalTarget, openTarget, type Target } from './target.ts';

/** The query of a list of edges, newest first. */
const QUERY = 'SELECT * FROM c WHERE c.s > @after AND c.s < @end ORDER BY c.s OFFSET 0 LIMIT @n';
const EDGES = isLocalTarget() ? 50_000 : 2_000;
const PER_BATCH = 100;

let target: Target;
let container: Container;

beforeAll(async () => {
  target = await openTarget();
  container = await target.container('lists');
  let next = 0;
  const write = async (): Promise<void> => {
    while (next < EDGES) {
      const from = next;
      next += PER_BATCH;
      const operations = Array.from({ length: PER_BATCH }, (_, at) => edge(from + at));
      const { code } = await container.items.batch(operations, 'p', { contentResponseOnWriteEnabled: false });
      expect(code).toBe(200);
    }
  };
  await Promise.all(Array.from({ length: 4 }, write));
}, 300_000);
afterAll(() => target.close());

const sortString = (at: number): string => `likes~${String(at).padStart(16, '0')}`;

const edge = (at: number): OperationInput => ({
  operationType: 'Create',
  resourceBody: { id: `e~likes~${at}`, pk: 'p', s: sortString(at) },
});

async function list(after: number, n: number): Promise<{ ids: string[]; charge: number }> {
  const parameters = [
    { name: '@after', value: sortString(after) },
    { name: '@end', value: 'likes~~' },
    { name: '@n', value: n },
  ];
  const options = { partitionKey: 'p' };
  const response = await container.items.query<{ id: string }>({ query: QUERY, parameters }, options).fetchAll();
  return { ids: response.resources.map(({ id }) => id), charge: response.requestCharge };
}

const expected = (after: number, n: number): string[] =>
  Array.from({ length: n }, (_, at) => `e~likes~${after + 1 + at}`);

it(`a page from anywhere in a partition of ${EDGES} edges holds exactly the edges asked for`, async () => {
  for (const after of [0, Math.floor(EDGES / 3), Math.floor(EDGES / 2)]) {
    expect((await list(after, 20)).ids).toEqual(expected(after, 20));
  }
  expect((await list(EDGES - 3, 20)).ids).toEqual(expected(EDGES - 3, 2));
});

it('the price of a page depends on its size, not on where it stands or on the partition', async () => {
  const [first, middle] = [await list(5, 20), await list(Math.floor(EDGES / 2), 20)];
  expect(Math.abs(first.charge - middle.charge)).toBeLessThan(1);
  expect(middle.charge).toBeLessThan(10);
});
