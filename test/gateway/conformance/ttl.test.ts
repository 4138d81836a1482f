import { afterAll, beforeAll, expect, it } from 'vitest';
import { refusal } from '#test/gateway/emulator/with-emulator.ts';
import { openTarget, type Target } from './target.ts';

let target: Target;
beforeAll(async () => {
  target = await openTarget();
});
afterAll(() => target.close());

it('an expired item is gone from reads, queries, counts, guards and patches', async () => {
  const container = await target.container('ttl');
  await container.items.create({ id: 'short', pk: 'p', s: '1', ttl: 5 });
  await container.items.create({ id: 'long', pk: 'p', s: '2', ttl: 1_000 });
  await container.items.create({ id: 'ever', pk: 'p', s: '3' });
  expect((await container.item('short', 'p').read()).statusCode).toBe(200);
  await target.passSeconds(7);
  expect((await container.item('short', 'p').read()).statusCode).toBe(404);
  expect((await refusal(container.item('short', 'p').patch([{ op: 'set', path: '/s', value: 'x' }]))).code).toBe(404);
  const query = 'SELECT VALUE c.id FROM c WHERE c.s > "0" AND c.s < "9" ORDER BY c.s';
  expect((await container.items.query(query, { partitionKey: 'p' }).fetchAll()).resources).toEqual(['long', 'ever']);
  const count = await container.items.query('SELECT VALUE COUNT(1) FROM c', { partitionKey: 'p' }).fetchAll();
  expect(count.resources).toEqual([2]);
});

it('an expired item makes room for a new one of the same id', async () => {
  const container = await target.container('ttl');
  const before = await container.items.create({ id: 'again', pk: 'room', v: 1, ttl: 1 });
  await target.passSeconds(3);
  // The service may answer 409 until it has purged the item.
  const after = await container.items.upsert({ id: 'again', pk: 'room', v: 2 });
  expect([200, 201]).toContain(after.statusCode);
  expect(after.resource?._etag).not.toBe(before.resource?._etag);
  expect((await container.item('again', 'room').read()).resource.v).toBe(2);
});

it('every write starts the time anew, and removing ttl ends it', async () => {
  const container = await target.container('ttl');
  await container.items.create({ id: 'kept', pk: 'p', ttl: 6 });
  await target.passSeconds(4);
  await container.item('kept', 'p').patch([{ op: 'set', path: '/v', value: 1 }]);
  await target.passSeconds(4);
  await container.item('kept', 'p').patch([{ op: 'remove', path: '/ttl' }]);
  await target.passSeconds(8);
  expect((await container.item('kept', 'p').read()).statusCode).toBe(200);
}, 60_000);

it('the container gives the default, an item can opt out with -1', async () => {
  const container = await target.container('default-ttl', { defaultTtl: 3 });
  await container.items.create({ id: 'default', pk: 'p' });
  await container.items.create({ id: 'never', pk: 'p', ttl: -1 });
  await target.passSeconds(5);
  expect((await container.item('default', 'p').read()).statusCode).toBe(404);
  expect((await container.item('never', 'p').read()).statusCode).toBe(200);
});

it.each([0, -2, 'soon'])('refuses ttl %j', async (ttl) => {
  const container = await target.container('ttl');
  expect((await refusal(container.items.create({ id: 'bad', pk: 'p', ttl: ttl as number }))).code).toBe(400);
});
