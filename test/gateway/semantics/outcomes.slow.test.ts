import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '#test/gateway/fixtures/eventually.ts';
import { ROWS } from '#test/gateway/store/wire-faults/table.ts';
import { targetsAt } from './edges.ts';
import { type Fleet, startFleet } from './fleet.ts';

let fleet: Fleet;
beforeAll(async () => {
  fleet = await startFleet();
});
afterEach(() => fleet.cosmos.faults.clear());
afterAll(() => fleet?.stop());

// Refusing concerns a whole region; a write is not resent to a region that says 403/3 or 404/1002.
const RESOLVED = ROWS.filter(({ effect, write }) => effect.kind !== 'refuse' && write.told === undefined).filter(
  ({ fault }) => fault !== '403/3',
);

const pins = (id: string) => `/objects/Conversation/${id}/edges/pins`;

type Headers = Record<string, string>;
const variants: readonly (readonly [string, (write: string) => Headers])[] = [
  ['keyed', (write) => ({ 'idempotency-key': write })],
  ['unkeyed', () => ({})],
];

describe('T14: a write whose first attempt meets a fault has one effect and is told it, with a key and without', () => {
  test.each(RESOLVED)('$fault', async ({ fault, effect }) => {
    const meet = (partition: string) => fleet.cosmos.faults.add({ partition, operations: ['batch'], times: 1, effect });
    const ways = variants.flatMap(([name, headersOf]) => {
      const id = `${fault.replace(/\W+/g, '-')}-${name}`;
      const headers = (write: string) => headersOf(`${id} ${write}`);
      return [writeEdges(id, { meet, headers }), writeObject(id, { meet, headers })];
    });
    await Promise.all(ways);
  });
});

interface Way {
  /** Lets the next batch to a partition meet the fault. */
  meet(partition: string): unknown;
  headers(write: string): Headers;
}

async function writeEdges(id: string, { meet, headers }: Way): Promise<void> {
  const { call } = fleet.b;
  await call('PUT', `${pins(id)}/seed`, { body: '{}' });
  meet(`chat|Conversation|${id}`);
  const put = await call('PUT', `${pins(id)}/m`, { body: '{"time":1}', headers: headers('put') });
  expect([put.status, put.body.created]).toEqual([201, true]);
  expect(await targetsAt(call, pins(id))).toEqual(['m', 'seed']);
  meet(`chat|Conversation|${id}`);
  const gone = await call('DELETE', `${pins(id)}/m`, { headers: headers('delete') });
  expect([gone.status, gone.body.deleted]).toEqual([200, true]);
  expect(await targetsAt(call, pins(id))).toEqual(['seed']);
}

async function writeObject(id: string, { meet, headers }: Way): Promise<void> {
  const { call } = fleet.b;
  meet(`chat|Message|${id}`);
  const put = await call('PUT', `/objects/Message/${id}`, { body: 'x', headers: headers('put') });
  expect([put.status, put.body.created]).toEqual([201, true]);
  expect((await call('GET', `/objects/Message/${id}`)).text).toBe('x');
  meet(`chat|Message|${id}`);
  const gone = await call('DELETE', `/objects/Message/${id}`, { headers: headers('delete') });
  expect([gone.status, gone.body.deleted]).toEqual([200, true]);
  expect((await call('GET', `/objects/Message/${id}`)).code).toBe('object_not_found');
}

const stars = '/objects/Conversation/limits/edges/stars';

test('an object with as many edges as its type allows takes no more, until one is deleted', async () => {
  const { call } = fleet.b;
  for (const to of ['a', 'b', 'c']) expect((await call('PUT', `${stars}/${to}`, { body: '{}' })).status).toBe(201);
  const refused = await call('PUT', `${stars}/d`, { body: '{}' });
  expect([refused.status, refused.code]).toEqual([422, 'limit_exceeded']);
  expect(refused.error?.details).toEqual({ edgeType: 'stars', maxEdges: 3 });
  expect((await call('PUT', `${stars}/a`, { body: '{"time":1}' })).body.created).toBe(false);
  await call('DELETE', `${stars}/b`);
  expect((await call('PUT', `${stars}/d`, { body: '{}' })).body.created).toBe(true);
  expect(await targetsAt(call, stars)).toEqual(['a', 'c', 'd']);
});

test('a read whose deadline passes while the store does not answer is deadline_exceeded', async () => {
  fleet.cosmos.faults.add({ partition: 'chat|Message|hung', operations: ['read'], effect: { kind: 'hang' } });
  const headers = { 'habitat-deadline-ms': '300' };
  const refused = await fleet.b.call('GET', '/objects/Message/hung', { headers });
  expect([refused.status, refused.code, refused.error?.retryable]).toEqual([504, 'deadline_exceeded', true]);
});

test('a worker with more requests than it can hold is overloaded, says when to come back, and recovers', async () => {
  fleet.cosmos.faults.add({ operations: ['read'], effect: { kind: 'hang' } });
  const headers = { 'habitat-deadline-ms': '3000' };
  const get = () => fleet.b.call('GET', '/objects/Message/crowd', { headers });
  const replies = await Promise.all(Array.from({ length: 1_200 }, get));
  expect(replies.map(({ code }) => code)).toContain('overloaded');
  const refused = replies.filter(({ code }) => code === 'overloaded');
  for (const { status, headers: told, error } of refused) {
    expect([status, told.get('retry-after'), error?.retryable]).toEqual([503, '1', true]);
  }
  await fleet.cosmos.faults.clear();
  await eventually('it serves again', async () => (await get()).code === 'object_not_found', 30_000);
});
