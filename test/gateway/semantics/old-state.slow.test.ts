import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { destroyKeys } from '#gateway/content/acts/destroy-keys.ts';
import { rotateKey } from '#gateway/content/acts/rotate-key.ts';
import { createMasterWrapping } from '#gateway/content/keys/master-key.ts';
import { TenantName } from '#gateway/contract/ids.ts';
import { edgesAt, openEntries, rest, storedAt, targetsAt } from './edges.ts';
import { type Fleet, startFleet } from './fleet.ts';

// Days pass: the clocks of the store and of both gateways are moved, by tests that go from short to long.

let fleet: Fleet;
beforeAll(async () => {
  fleet = await startFleet();
});
afterEach(() => fleet.cosmos.faults.clear());
afterAll(() => fleet?.stop());

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const tenant = TenantName.parse('chat');
const message = (id: string) => `/objects/Message/${id}`;
const pins = (id: string) => `/objects/Conversation/${id}/edges/pins`;
const messages = (id: string) => `/objects/Conversation/${id}/edges/messages`;
const inverse = (id: string) => `${message(id)}/edges/inConversation`;

const EDGE = JSON.stringify({ time: 5, data: 'note' });

/** The partition of this message takes no batches: a forward edge to it is committed, and its inverse is not. */
function hide(id: string): void {
  const effect = { kind: 'batchStatus', status: 449, index: 0, retryAfterMs: 20 } as const;
  fleet.cosmos.faults.add({ partition: `chat|Message|${id}`, operations: ['batch'], effect });
}

/** The folder that the gateways' data keys lie in, as an operator's command sees it. */
const place = () => ({ keysDir: fleet.keysDir, wrapping: createMasterWrapping(fleet.keysDir) });

async function keyIdOf(id: string): Promise<unknown> {
  const object = (await storedAt(fleet.cosmos, 'Message', id)).find((item) => item.id === 'o');
  return (object?.content as { keyId?: unknown } | undefined)?.keyId;
}

test('what an older key sealed is read after the rotation, by gateways that serve and by one that starts', async () => {
  await fleet.a.call('PUT', message('old'), { body: 'sealed before' });
  await fleet.a.call('PUT', `${pins('old')}/m`, { body: JSON.stringify({ data: 'noted before' }) });
  await rotateKey(place(), tenant, Date.now());
  fleet.moveClock(5 * MINUTE_MS);
  await fleet.a.call('PUT', message('new'), { body: 'sealed after' });
  expect([await keyIdOf('old'), await keyIdOf('new')]).toEqual(['k1', 'k2']);
  await fleet.b.restart();
  for (const { call } of [fleet.a, fleet.b]) {
    expect((await call('GET', message('old'))).text).toBe('sealed before');
    expect((await call('GET', message('new'))).text).toBe('sealed after');
    expect((await edgesAt(call, pins('old'))).list[0]?.data).toBe('noted before');
  }
  await fleet.b.call('PUT', message('old'), { body: 'sealed again' });
  expect(await keyIdOf('old')).toBe('k2');
});

test('T13: a key is remembered for 23 hours, and a write with it is a new one after 24', async () => {
  const put = (call = fleet.a.call) =>
    call('PUT', message('kept'), { body: 'mine', headers: { 'idempotency-key': 'kept' } });
  const first = await put();
  await fleet.b.call('PUT', message('kept'), { body: 'theirs' });
  fleet.moveClock(22 * HOUR_MS);
  expect((await put(fleet.b.call)).body).toEqual(first.body);
  expect((await fleet.a.call('GET', message('kept'))).text).toBe('theirs');
  fleet.moveClock(2 * HOUR_MS);
  expect((await put()).body).toMatchObject({ created: false });
  expect((await fleet.a.call('GET', message('kept'))).text).toBe('mine');
});

test('C15: an outbox entry of eight days, whose tombstones are purged: both directions end as the edge is', {
  timeout: 300_000,
}, async () => {
  const path = (id: string) => `${messages('c15')}/${id}`;
  await fleet.a.call('PUT', path('deleted'), { body: EDGE });
  await fleet.a.call('PUT', path('again'), { body: EDGE });
  await rest(fleet.cosmos, 'Conversation', ['c15']);
  // From now on no inverse is written: what happens to these edges stays in the outbox.
  for (const id of ['put', 'deleted', 'both', 'again']) hide(id);
  await fleet.a.call('PUT', path('put'), { body: EDGE });
  await fleet.a.call('DELETE', path('deleted'));
  await fleet.a.call('PUT', path('both'), { body: EDGE });
  await fleet.a.call('DELETE', path('both'));
  await fleet.a.call('DELETE', path('again'));
  await fleet.b.call('PUT', path('again'), { body: JSON.stringify({ time: 9 }) });
  expect((await openEntries(fleet.cosmos, 'Conversation', 'c15')).length).toBe(6);
  expect((await fleet.b.call('GET', inverse('deleted'))).body.edges).toMatchObject([{ toId: 'c15' }]);
  for (const gateway of [fleet.a, fleet.b]) gateway.kill();

  fleet.moveClock(8 * 24 * HOUR_MS);
  await fleet.cosmos.faults.clear();
  await fleet.a.restart();
  await fleet.b.restart();
  const left = (await storedAt(fleet.cosmos, 'Conversation', 'c15')).filter(({ id }) => id.startsWith('e~'));
  expect(left.map(({ id }) => id).toSorted()).toEqual(['e~messages~again', 'e~messages~put']);
  await rest(fleet.cosmos, 'Conversation', ['c15']);
  expect(await targetsAt(fleet.a.call, messages('c15'))).toEqual(['again', 'put']);
  for (const id of ['deleted', 'both']) expect(await targetsAt(fleet.b.call, inverse(id))).toEqual([]);
  expect(await edgesAt(fleet.b.call, inverse('put'))).toMatchObject({ count: 1, list: [{ toId: 'c15', time: 5 }] });
  expect(await edgesAt(fleet.b.call, inverse('again'))).toMatchObject({ count: 1, list: [{ toId: 'c15', time: 9 }] });
});

test('C17: a key destroyed while an outbox entry is open: no content comes back, and a delete reaches both directions', async () => {
  hide('m17');
  const put = await fleet.a.call('PUT', `${messages('c17')}/m17`, { body: JSON.stringify({ data: 'note' }) });
  expect([put.status, put.body.created]).toEqual([201, true]);
  expect(await openEntries(fleet.cosmos, 'Conversation', 'c17')).toHaveLength(1);
  await destroyKeys(place(), tenant, Date.now());
  fleet.moveClock(2 * MINUTE_MS);
  await fleet.cosmos.faults.clear();

  for (const { call } of [fleet.a, fleet.b]) {
    expect((await call('GET', `${messages('c17')}/m17`)).code).toBe('key_unavailable');
    expect((await call('PUT', `${messages('c17')}/m17`, { body: JSON.stringify({ data: 'more' }) })).code).toBe(
      'key_unavailable',
    );
    expect((await call('GET', `${messages('c17')}:count`)).body).toEqual({ count: 1 });
  }
  expect(await openEntries(fleet.cosmos, 'Conversation', 'c17')).toHaveLength(1);
  expect((await fleet.b.call('DELETE', `${messages('c17')}/m17`)).body.deleted).toBe(true);
  await rest(fleet.cosmos, 'Conversation', ['c17']);
  expect(await targetsAt(fleet.a.call, messages('c17'))).toEqual([]);
  expect(await targetsAt(fleet.a.call, inverse('m17'))).toEqual([]);
});
