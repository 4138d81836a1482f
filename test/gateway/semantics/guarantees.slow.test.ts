import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ROWS } from '#test/gateway/store/wire-faults/table.ts';
import type { Seen } from '#test/support/faulty-proxy.ts';
import { edgesAt, storedAt, targetsAt } from './edges.ts';
import { type Call, type Fleet, type Reply, startFleet } from './fleet.ts';

let fleet: Fleet;
let call: Call;
beforeAll(async () => {
  fleet = await startFleet();
  call = fleet.a.call;
});
afterEach(async () => {
  fleet.proxy.decide(() => ({ kind: 'pass' }));
  await fleet.cosmos.faults.clear();
});
afterAll(() => fleet?.stop());

const pins = (id: string) => `/objects/Conversation/${id}/edges/pins`;
const message = (id: string) => `/objects/Message/${id}`;
const keyed = (key: string) => ({ 'idempotency-key': key });
const put = (path: string, body: object, headers: Record<string, string> = {}) =>
  call('PUT', path, { body: JSON.stringify(body), headers });

test('T1: putting an edge again overwrites its data and moves its order; the count stays', async () => {
  await put(`${pins('t1')}/a`, { time: 1, data: 'first' });
  await put(`${pins('t1')}/b`, { time: 2 });
  const again = await put(`${pins('t1')}/a`, { time: 3, data: 'second' });
  expect([again.status, again.body.created]).toEqual([200, false]);
  expect(await edgesAt(call, pins('t1'))).toMatchObject({
    count: 2,
    list: [
      { toId: 'a', time: 3, data: 'second' },
      { toId: 'b', time: 2 },
    ],
  });
  await put(`${pins('t1')}/a`, { time: 0 });
  const { count, list } = await edgesAt(call, pins('t1'));
  expect(list.map(({ toId }) => toId)).toEqual(['b', 'a']);
  expect([count, list.find(({ toId }) => toId === 'a')?.data]).toEqual([2, undefined]);
});

test('T2: deleting a missing edge changes nothing, also where one was deleted before', async () => {
  const nothing = { toId: 'm', deleted: false };
  expect((await call('DELETE', `${pins('t2')}/m`)).body).toEqual(nothing);
  expect(await storedAt(fleet.cosmos, 'Conversation', 't2')).toEqual([]);
  await put(`${pins('t2')}/m`, {});
  await call('DELETE', `${pins('t2')}/m`);
  const before = await storedAt(fleet.cosmos, 'Conversation', 't2');
  expect((await call('DELETE', `${pins('t2')}/m`)).body).toEqual(nothing);
  expect(await storedAt(fleet.cosmos, 'Conversation', 't2')).toEqual(before);
  expect(await targetsAt(call, pins('t2'))).toEqual([]);
});

describe('T12: a call touches one partition and costs what its operation may', () => {
  const CONTENT = 'x'.repeat(900);
  const from = '/objects/Conversation/t12';
  const operations = Array.from({ length: 20 }, (_, n) => ({
    ...{ op: 'edge.put', type: 'Conversation', id: 't12', edgeType: 'pins', toId: `e${n}`, time: n },
  }));
  beforeAll(async () => {
    await call('PUT', from, { body: CONTENT });
    expect((await call('POST', '/batch', { body: JSON.stringify({ operations }) })).status).toBe(200);
  });

  /** Neither the probe of readiness nor the change feed, which belong to no call. */
  const isOfCalls = ({ path, partition, headers }: Seen) =>
    path.includes('/colls/main/docs') && partition !== '~probe' && headers['a-im'] === undefined;

  /** Every request to the store while one call is answered. */
  async function watched(of: () => Promise<Reply>): Promise<{ reply: Reply; seen: readonly Seen[] }> {
    const seen: Seen[] = [];
    fleet.proxy.decide((one) => {
      if (isOfCalls(one)) seen.push(one);
      return { kind: 'pass' };
    });
    return { reply: await of(), seen };
  }

  const COMMIT = JSON.stringify({
    operations: [
      { op: 'object.put', text: CONTENT },
      { op: 'edge.put', edgeType: 'pins', toId: 'together' },
    ],
  });
  const edgeBody = { body: JSON.stringify({ time: 99, data: 'note' }) };
  const ids = Array.from({ length: 20 }, (_, n) => `id=e${n}`).join('&');
  test.each<[string, string, string, { body?: string }, number]>([
    ['object.get', 'GET', from, {}, 1.5],
    ['edge.count', 'GET', `${from}/edges/pins:count`, {}, 1.5],
    ['edge.get of one', 'GET', `${from}/edges/pins/e1`, {}, 2.5],
    ['edge.get of twenty', 'GET', `${from}/edges/pins?${ids}`, {}, 6],
    ['edge.list of twenty', 'GET', `${from}/edges/pins?limit=20`, {}, 6],
    ['object.put of a new one', 'PUT', '/objects/Message/t12-new', { body: CONTENT }, 7],
    ['object.put of a present one', 'PUT', '/objects/Message/t12-new', { body: `${CONTENT}!` }, 9],
    ['edge.put of a new one', 'PUT', `${from}/edges/pins/new`, edgeBody, 13],
    ['edge.put of a present one', 'PUT', `${from}/edges/pins/new`, edgeBody, 15],
    ['edge.changeType', 'POST', `${from}/edges/pins/e1:changeType`, { body: '{"to":"stars"}' }, 40],
    ['commit of an object and an edge', 'POST', `${from}:commit`, { body: COMMIT }, 40],
    ['edge.delete', 'DELETE', `${from}/edges/pins/new`, {}, 14],
    ['edge.delete of a missing one', 'DELETE', `${from}/edges/pins/none`, {}, 1.5],
    ['object.delete', 'DELETE', '/objects/Message/t12-new', {}, 20],
  ])('%s', async (_, method, path, init, mostRu) => {
    const { reply, seen } = await watched(() => call(method, path, init));
    expect(reply.code).toBeNull();
    expect(new Set(seen.map(({ partition }) => partition)).size).toBe(1);
    expect(seen[0]?.partition).toMatch(/^chat\|/);
    const ru = Number(reply.headers.get('habitat-ru'));

    expect(ru).toBeGreaterThan(0);
    expect(ru).toBeLessThanOrEqual(mostRu);
  });

  test('a mirrored edge.put touches its inverse beside it, each in a request of its own', async () => {
    const { seen } = await watched(() => call('PUT', `${from}/edges/messages/t12-m`, edgeBody));
    const partitions = new Set(seen.map(({ partition }) => partition));
    expect(partitions).toEqual(new Set(['chat|Conversation|t12', 'chat|Message|t12-m']));
  });
});

describe('T13: a write repeated with its key answers what it did', () => {
  const repeats: readonly [string, string, string, object | undefined, () => Promise<unknown>][] = [
    [
      ...(['edge.put', 'PUT', `${pins('t13')}/put`, { time: 1 }] as const),
      () => put(`${pins('t13')}/put`, { time: 9 }),
    ],
    [
      ...(['edge.delete of a missing one', 'DELETE', `${pins('t13')}/del`, undefined] as const),
      () => put(`${pins('t13')}/del`, { time: 9 }),
    ],
    [
      ...(['object.put', 'PUT', message('t13'), { said: 1 }] as const),
      () => call('PUT', message('t13'), { body: 'other' }),
    ],
    [
      ...(['object.delete of a missing one', 'DELETE', message('t13-none'), undefined] as const),
      () => call('PUT', message('t13-none'), { body: 'other' }),
    ],
  ];
  async function whatIsThere(): Promise<unknown> {
    const objects = await Promise.all(['t13', 't13-none'].map((id) => call('GET', message(id))));
    return [await edgesAt(call, pins('t13')), objects.map(({ code, text }) => code ?? text)];
  }

  test.each(repeats)('%s, also after others wrote', async (name, method, path, body, others) => {
    const init = { headers: keyed(`t13 ${name}`), ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const first = await call(method, path, init);
    expect(first.code).toBeNull();
    await others();
    const before = await whatIsThere();
    // From another gateway too: the outcome lies in the store.
    for (const through of [call, fleet.b.call]) {
      const again = await through(method, path, init);
      expect([again.status, again.body]).toEqual([first.status, first.body]);
    }
    expect(await whatIsThere()).toEqual(before);
  });

  test('the same key with another body, path or precondition is refused', async () => {
    const headers = keyed('t13 once');
    await call('PUT', message('t13-once'), { body: 'a', headers });
    const others = [
      await call('PUT', message('t13-once'), { body: 'b', headers }),
      await call('DELETE', message('t13-once'), { headers }),
      await call('PUT', message('t13-once'), { body: 'a', headers: { ...headers, 'if-match': '"1"' } }),
    ];
    expect(others.map(({ status, code }) => [status, code])).toEqual(others.map(() => [409, 'idempotency_conflict']));
    expect((await call('GET', message('t13-once'))).text).toBe('a');
  });

  test('keys of two principals never meet', async () => {
    const headers = keyed('t13 shared');
    expect((await call('PUT', message('t13-two'), { body: 'mine', headers })).status).toBe(201);
    const theirs = await fleet.a.callAsOther('PUT', message('t13-two'), { body: 'theirs', headers });
    expect([theirs.status, theirs.body.created]).toEqual([200, false]);
    expect((await call('GET', message('t13-two'))).text).toBe('theirs');
    const again = await call('PUT', message('t13-two'), { body: 'mine', headers });
    expect(again.body.created).toBe(true);
    expect((await call('GET', message('t13-two'))).text).toBe('theirs');
  });
});

// Refusing concerns a whole region; a write is not resent to a region that says 403/3 or 404/1002.
const RESOLVED = ROWS.filter(({ effect, write }) => effect.kind !== 'refuse' && write.told === undefined).filter(
  ({ fault }) => fault !== '403/3',
);

type Headers = Record<string, string>;
/** What does not answer is given up after a part of it. */
const deadline = { 'habitat-deadline-ms': '8000' };
const variants: readonly (readonly [string, (write: string) => Headers])[] = [
  ['keyed', (write) => ({ ...deadline, 'idempotency-key': write })],
  ['unkeyed', () => deadline],
];

describe('T14: a write whose first attempt meets a fault has one effect and is told it, with a key and without', () => {
  test.each(RESOLVED)('$fault', async ({ fault, effect }) => {
    const meet = (partition: string) => fleet.cosmos.faults.add({ partition, operations: ['batch'], times: 1, effect });
    const all = (writes: readonly ((id: string, way: Way) => Promise<void>)[]) =>
      variants.flatMap(([name, headersOf]) => {
        const id = `${fault.replace(/\W+/g, '-')}-${name}`;
        const way = { meet, headers: (write: string) => headersOf(`${id} ${write}`) };
        return writes.map((write) => write(id, way));
      });
    // At most four at a time: five failures in a row would open the breaker.
    await Promise.all(all([writeEdges, writeObject]));
    await Promise.all(all([writeTogether]));
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

async function writeTogether(id: string, { meet, headers }: Way): Promise<void> {
  const { call } = fleet.b;
  const object = `/objects/Conversation/${id}-together`;
  await call('PUT', `${object}/edges/pins/moved`, { body: '{"time":1}' });
  meet(`chat|Conversation|${id}-together`);
  const operations = [
    { op: 'object.put', text: 'x' },
    { op: 'edge.put', edgeType: 'pins', toId: 'm', time: 2 },
    { op: 'edge.changeType', edgeType: 'pins', toId: 'moved', to: 'stars' },
  ];
  const done = await call('POST', `${object}:commit`, {
    body: JSON.stringify({ operations }),
    headers: headers('commit'),
  });
  expect([done.status, done.body.results]).toMatchObject([
    200,
    [{ created: true }, { created: true }, { toId: 'moved' }],
  ]);
  expect((await call('GET', object)).text).toBe('x');
  expect(await targetsAt(call, `${object}/edges/pins`)).toEqual(['m']);
  expect(await targetsAt(call, `${object}/edges/stars`)).toEqual(['moved']);
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
