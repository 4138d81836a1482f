import type { Container, OperationInput } from '@azure/cosmos';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { refusal } from '#test/gateway/emulator/with-emulator.ts';
import { openTarget, type Target } from './target.ts';

let target: Target;
let container: Container;
beforeAll(async () => {
  target = await openTarget();
  container = await target.container('batches');
});
afterAll(() => target.close());

it('commits all operations in order and sees its own earlier writes', async () => {
  const { code, result } = await container.items.batch(
    [
      { operationType: 'Create', resourceBody: { id: 'h', pk: 'order', n: 0 } },
      { operationType: 'Patch', id: 'h', resourceBody: { operations: [{ op: 'incr', path: '/n', value: 1 }] } },
      { operationType: 'Read', id: 'h' },
      { operationType: 'Replace', id: 'h', resourceBody: { id: 'h', pk: 'order', n: 5 } },
      { operationType: 'Upsert', resourceBody: { id: 'u', pk: 'order' } },
      { operationType: 'Delete', id: 'u' },
    ],
    'order',
  );
  expect(code).toBe(200);
  expect(result?.map((entry) => entry.statusCode)).toEqual([201, 200, 200, 200, 201, 204]);
  expect(result?.[2]?.resourceBody?.n).toBe(1);
  expect((await container.item('h', 'order').read()).resource.n).toBe(5);
  expect((await container.item('u', 'order').read()).statusCode).toBe(404);
});

it.each([
  ['a conflict', { operationType: 'Create', resourceBody: { id: 'taken', pk: 'p' } }, 409],
  ['a missing item', { operationType: 'Delete', id: 'absent' }, 404],
  [
    'a stale etag',
    { operationType: 'Replace', id: 'taken', ifMatch: '"old"', resourceBody: { id: 'taken', pk: 'p' } },
    412,
  ],
  [
    'a condition that does not hold',
    {
      operationType: 'Patch',
      id: 'taken',
      resourceBody: { condition: 'FROM c WHERE c.state = "open"', operations: [{ op: 'set', path: '/v', value: 1 }] },
    },
    412,
  ],
  ['a document of another partition', { operationType: 'Create', resourceBody: { id: 'other', pk: 'q' } }, 400],
] as const)('rolls everything back for %s and tells all others 424', async (_name, refused, status) => {
  await container.items.upsert({ id: 'taken', pk: 'p', state: 'closed', v: 0 });
  const before = await container.item('taken', 'p').read();
  const response = await container.items.batch(
    [
      { operationType: 'Create', resourceBody: { id: 'first', pk: 'p' } },
      { operationType: 'Patch', id: 'taken', resourceBody: { operations: [{ op: 'incr', path: '/v', value: 1 }] } },
      refused as unknown as OperationInput,
      { operationType: 'Create', resourceBody: { id: 'last', pk: 'p' } },
    ],
    'p',
  );
  expect(response.code).toBe(207);
  expect(response.result?.map((entry) => entry.statusCode)).toEqual([424, 424, status, 424]);
  expect((await container.item('first', 'p').read()).statusCode).toBe(404);
  expect((await container.item('last', 'p').read()).statusCode).toBe(404);
  expect((await container.item('taken', 'p').read()).resource).toEqual(before.resource);
});

it('honours If-Match per operation', async () => {
  const { etag } = await container.items.create({ id: 'guarded', pk: 'e', v: 1 });
  const replace = (ifMatch: string, v: number): OperationInput => ({
    operationType: 'Replace',
    id: 'guarded',
    ifMatch,
    resourceBody: { id: 'guarded', pk: 'e', v },
  });
  const good = await container.items.batch([replace(etag, 2)], 'e');
  expect([good.code, good.result?.[0]?.statusCode]).toEqual([200, 200]);
  const late = await container.items.batch([replace(etag, 3)], 'e');
  expect([late.code, late.result?.[0]?.statusCode]).toEqual([207, 412]);
  expect((await container.item('guarded', 'e').read()).etag).toBe(good.result?.[0]?.eTag);
});

it('takes 100 operations and refuses 101, none, and more than 2 MB', async () => {
  const create = (id: number, fill = ''): OperationInput => ({
    operationType: 'Create',
    resourceBody: { id: String(id), pk: 'many', fill },
  });
  const full = await container.items.batch(
    Array.from({ length: 100 }, (_, id) => create(id)),
    'many',
  );
  expect(full.code).toBe(200);
  expect(new Set(full.result?.map((entry) => entry.eTag)).size).toBe(100);
  await expect(
    container.items.batch(
      Array.from({ length: 101 }, (_, id) => create(id + 200)),
      'many',
    ),
  ).rejects.toThrow();
  expect((await refusal(container.items.batch([], 'many'))).code).toBe(400);
  const heavy = [create(501, 'x'.repeat(1_100_000)), create(502, 'x'.repeat(1_100_000))];
  expect((await refusal(container.items.batch(heavy, 'many'))).code).toBe(413);
  expect((await container.item('501', 'many').read()).statusCode).toBe(404);
});

it('loses no increment and creates no item twice among batches that run at once', async () => {
  await container.items.create({ id: 'head', pk: 'race', n: 0 });
  const attempts = Array.from({ length: 60 }, (_, at) =>
    container.items.batch(
      [
        { operationType: 'Create', resourceBody: { id: `e${at % 20}`, pk: 'race' } },
        { operationType: 'Patch', id: 'head', resourceBody: { operations: [{ op: 'incr', path: '/n', value: 1 }] } },
      ],
      'race',
    ),
  );
  const codes = (await Promise.all(attempts)).map(({ code }) => code);
  expect(codes.filter((code) => code === 200)).toHaveLength(20);
  expect((await container.item('head', 'race').read()).resource.n).toBe(20);
});

it('leaves bodies of writes out when the client asks for little, and charges the sum', async () => {
  const operations: OperationInput[] = [
    { operationType: 'Create', resourceBody: { id: 'quiet', pk: 'm' } },
    { operationType: 'Read', id: 'quiet' },
  ];
  const { result, headers } = await container.items.batch(operations, 'm', { contentResponseOnWriteEnabled: false });
  expect(result?.[0]?.resourceBody).toBeUndefined();
  expect(result?.[1]?.resourceBody?.id).toBe('quiet');
  expect(Number(headers['x-ms-request-charge'])).toBeCloseTo(5.95, 2);
});
