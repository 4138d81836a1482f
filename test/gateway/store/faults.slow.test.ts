import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ObjectKey, WriteCall } from '#gateway/pipeline/store-port.ts';
import type { Store } from '#gateway/store/create-store.ts';
import {
  codeOf,
  type Fixture,
  idOf,
  keyed,
  keyOf,
  messages,
  newCall,
  servedBy,
  startFixture,
} from '#test/gateway/store/store-fixture.ts';
import { type Fate, type FaultyProxy, type Seen, startFaultyProxy } from '#test/support/faulty-proxy.ts';

let fixture: Fixture;
let proxy: FaultyProxy;
/** Its requests pass the proxy. */
let store: Store;
beforeAll(async () => {
  fixture = await startFixture();
  proxy = await startFaultyProxy(fixture.emulator.url);
  store = fixture.another(proxy.url);
  await servedBy(put('warm-up', 'a'));
});
afterEach(() => proxy.decide(() => ({ kind: 'pass' })));
afterAll(async () => {
  await proxy.close();
  await fixture.stop();
});

const PASS: Fate = { kind: 'pass' };
const NONE = { ifMatch: null, ifAbsent: false };
const room = (id: string): ObjectKey => keyOf('Conversation', id);

function put(from: string, toId: string, call: WriteCall = newCall(), through = store) {
  const edge = { from: room(from), rule: messages, toId: idOf(toId) };
  return through.putEdge(edge, { timeMs: 5, data: Buffer.from('data') }, call);
}

function remove(from: string, toId: string, call: WriteCall = newCall(), through = store) {
  return through.deleteEdge({ from: room(from), rule: messages, toId: idOf(toId) }, call);
}

/** A partition that has its head and one edge, so that the first batch sent to it can commit. */
async function warm(from: string): Promise<string> {
  await servedBy(put(from, 'seed', newCall(), fixture.store));
  return from;
}

/** Count by the head and targets by the list, read past the proxy. */
async function edgesOf(from: string): Promise<{ readonly count: number; readonly targets: readonly string[] }> {
  const edge = { from: room(from), rule: messages };
  const count = await servedBy(fixture.store.countEdges(edge, newCall()));
  const want = { limit: 100, afterS: null, afterMs: null, beforeMs: null };
  const page = await servedBy(fixture.store.listEdges(edge, want, newCall()));
  return { count, targets: page.edges.map((found) => found.toId).toSorted() };
}

/** The first `times` requests that match get this fate, all others pass. */
function firstly(times: number, matches: (seen: Seen) => boolean, fate: Fate): void {
  let left = times;
  proxy.decide((seen) => {
    if (left === 0 || !matches(seen)) return PASS;
    left -= 1;
    return fate;
  });
}

const isBatch = (seen: Seen) => seen.isBatch;
const isRead = (seen: Seen) => seen.method === 'GET' || seen.isQuery || seen.isReadBatch;

const keys: readonly (readonly [string, Partial<WriteCall>])[] = [
  ['without a key', {}],
  ['with a key', keyed('k')],
];

describe.each(keys)('a write %s whose reply is lost', (name, key) => {
  it.each(['commit then reset', 'lose'] as const)('(%s) has exactly one effect and is answered', async (kind) => {
    const from = await warm(`${name} ${kind}`);
    firstly(1, isBatch, { kind });
    expect(await servedBy(put(from, 'a', newCall(key)))).toMatchObject({ created: true, timeMs: 5 });
    expect(await edgesOf(from)).toEqual({ count: 2, targets: ['a', 'seed'] });
  });

  it('has exactly one effect when the first copy arrives late', async () => {
    const from = await warm(`${name} late`);
    const release = Promise.withResolvers<void>();
    const delivered = Promise.withResolvers<void>();
    firstly(1, isBatch, { kind: 'deliver late', until: release.promise, delivered: delivered.resolve });
    const { r } = await servedBy(put(from, 'a', newCall(key)));
    release.resolve();
    await delivered.promise;
    expect(await edgesOf(from)).toEqual({ count: 2, targets: ['a', 'seed'] });
    const want = { toIds: [idOf('a')], afterMs: null, beforeMs: null };
    const [found] = await servedBy(fixture.store.getEdges({ from: room(from), rule: messages }, want, newCall()));
    expect(found?.r).toBe(r);
  });

  it('deletes once', async () => {
    const from = `${name} delete`;
    await servedBy(put(from, 'a'));
    await servedBy(put(from, 'b'));
    firstly(1, isBatch, { kind: 'commit then reset' });
    expect(await servedBy(remove(from, 'a', newCall(keyed('d'))))).toEqual({ deleted: true });
    expect(await edgesOf(from)).toEqual({ count: 1, targets: ['b'] });
  });

  it('puts and deletes an object once', async () => {
    const object = keyOf('Message', `${name} object`);
    const content = { content: Buffer.from('x'), contentType: 'text/plain', precondition: NONE };
    firstly(1, isBatch, { kind: 'commit then reset' });
    const { r, created } = await servedBy(store.putObject(object, content, newCall(key)));
    expect(created).toBe(true);
    expect(await servedBy(store.getObject(object, newCall()))).toMatchObject({ r });
    firstly(1, isBatch, { kind: 'commit then reset' });
    expect(await servedBy(store.deleteObject(object, { ifMatch: r, mirrored: [] }, newCall()))).toEqual({
      deleted: true,
      sweeping: false,
    });
    expect(await codeOf(store.getObject(object, newCall()))).toBe('object_not_found');
  });
});

describe('a write that was overwritten before its outcome was known', () => {
  const overwriteFirst = (from: string) =>
    firstly(1, isBatch, {
      kind: 'commit then reset',
      afterwards: async () => {
        await servedBy(remove(from, 'a', newCall(), fixture.store));
      },
    });

  it('is outcome_unknown without a key', async () => {
    overwriteFirst(await warm('overwritten'));
    expect(await codeOf(put('overwritten', 'a'))).toBe('outcome_unknown');
    expect(await edgesOf('overwritten')).toEqual({ count: 1, targets: ['seed'] });
  });

  it('is answered with what it did when it has a key', async () => {
    overwriteFirst(await warm('overwritten-keyed'));
    expect(await servedBy(put('overwritten-keyed', 'a', newCall(keyed('k'))))).toMatchObject({ created: true });
    expect(await edgesOf('overwritten-keyed')).toEqual({ count: 1, targets: ['seed'] });
  });
});

describe('a deadline', () => {
  it('that passed before anything was sent is deadline_exceeded, and nothing is sent', async () => {
    const call = newCall({ deadlineAtMs: Date.now() - 1 });
    expect(await codeOf(put('deadline', 'a', call))).toBe('deadline_exceeded');
    expect(await codeOf(store.countEdges({ from: room('deadline'), rule: messages }, call))).toBe('deadline_exceeded');
    expect(call.attempts).toEqual([]);
  });

  it('that passes after a byte of a write was sent is outcome_unknown', async () => {
    proxy.decide((seen) => (seen.isBatch ? { kind: 'hang' } : PASS));
    const call = newCall({ deadlineAtMs: Date.now() + 700 });
    expect(await codeOf(put('hanging', 'a', call))).toBe('outcome_unknown');
    expect(Date.now()).toBeGreaterThanOrEqual(call.deadlineAtMs - 20);
  });

  it('that passes while a delete still reads is deadline_exceeded', async () => {
    proxy.decide(() => ({ kind: 'hang' }));
    expect(await codeOf(remove('hanging', 'a', newCall({ deadlineAtMs: Date.now() + 300 })))).toBe('deadline_exceeded');
  });

  it('leaves time for a second attempt when the first hangs', async () => {
    await servedBy(put('half', 'a'));
    firstly(1, isRead, { kind: 'hang' });
    const call = newCall({ deadlineAtMs: Date.now() + 4_000 });
    expect(await servedBy(store.countEdges({ from: room('half'), rule: messages }, call))).toBe(1);
    expect(call.attempts.map((attempt) => attempt.status)).toEqual([0, 200]);
    firstly(1, isBatch, { kind: 'hang' });
    expect(await codeOf(put('half', 'b', newCall({ deadlineAtMs: Date.now() + 4_000 })))).toBe('served');
  });
});

describe('an endpoint that cannot be reached', () => {
  it('is store_unavailable for reads and writes, and the probe says so', async () => {
    const gone = await startFaultyProxy(fixture.emulator.url);
    await gone.close();
    const lost = fixture.another(gone.url);
    expect(await store.probe()).toMatchObject({ reachable: true });
    expect(await codeOf(put('gone', 'a', newCall(), lost))).toBe('store_unavailable');
    expect(await codeOf(lost.countEdges({ from: room('gone'), rule: messages }, newCall()))).toBe('store_unavailable');
    expect(await lost.probe()).toMatchObject({ reachable: false });
  });
});

describe('a throttled request', () => {
  const throttle: Fate = {
    kind: 'answer',
    status: 429,
    body: JSON.stringify({ code: '429', message: 'Request rate is large' }),
    headers: { 'x-ms-substatus': '3200', 'x-ms-retry-after-ms': '20', 'x-ms-request-charge': '0.38' },
  };

  it('is waited out inside the deadline, and each attempt is charged', async () => {
    await warm('throttled');
    firstly(2, isBatch, throttle);
    const call = newCall();
    expect(await codeOf(put('throttled', 'a', call))).toBe('served');
    expect(call.attempts.map(({ status, subStatus }) => [status, subStatus])).toEqual([
      [429, 3200],
      [429, 3200],
      [200, 0],
    ]);
    expect(call.attempts[0]?.ru).toBeCloseTo(0.38);
    firstly(2, isRead, throttle);
    expect(await servedBy(store.countEdges({ from: room('throttled'), rule: messages }, newCall()))).toBe(2);
  });

  it('is store_throttled with the wait when the deadline is nearer', async () => {
    proxy.decide(() => ({ ...throttle, headers: { 'x-ms-retry-after-ms': '5000' } }) as Fate);
    const call = () => newCall({ deadlineAtMs: Date.now() + 500 });
    const edge = { from: room('throttled'), rule: messages };
    expect(await store.countEdges(edge, call())).toMatchObject({ code: 'store_throttled', retryAfterMs: 5_000 });
    expect(await put('throttled', 'b', call())).toMatchObject({ code: 'store_throttled', retryAfterMs: 5_000 });
  });

  it('inside a rolled-back batch (207 with 449 or 429) is waited out too', async () => {
    for (const status of [449, 429]) {
      await warm(`inner ${status}`);
      const results = [
        { statusCode: status, requestCharge: 1 },
        { statusCode: 424, requestCharge: 0 },
      ];
      firstly(1, isBatch, { kind: 'answer', status: 207, body: JSON.stringify(results) });
      expect(await codeOf(put(`inner ${status}`, 'a'))).toBe('served');
      expect(await edgesOf(`inner ${status}`)).toEqual({ count: 2, targets: ['a', 'seed'] });
    }
  });
});

describe('a reply that says nothing', () => {
  const senseless: readonly (readonly [string, number, string])[] = [
    ['an HTML body under 502', 502, '<html>bad gateway</html>'],
    ['an empty 503', 503, ''],
    ['an empty 500', 500, ''],
    ['a timeout', 408, '{"code":"408","message":"x"}'],
    ['a moved partition', 410, '{"code":"410","message":"x"}'],
    ['HTML under 200', 200, '<html>welcome</html>'],
    ['broken JSON under 200', 200, '[{"statusCode":'],
    ['a 207 of failed dependencies only', 207, '[{"statusCode":424},{"statusCode":424}]'],
    ['a 200 with too few results', 200, '[{"statusCode":201}]'],
  ];

  it.each(senseless)('(%s) is an unknown outcome, resolved by the guards of the batch', async (name, status, body) => {
    const from = await warm(`write ${name}`);
    firstly(1, isBatch, { kind: 'commit then answer', status, body });
    expect(await servedBy(put(from, 'a'))).toMatchObject({ created: true });
    expect(await edgesOf(from)).toEqual({ count: 2, targets: ['a', 'seed'] });
  });

  it.each(senseless.slice(0, 5))(
    '(%s) is read again, and store_unavailable when it stays',
    async (name, status, body) => {
      const from = `read ${name}`;
      await servedBy(put(from, 'a'));
      firstly(1, isRead, { kind: 'answer', status, body });
      expect(await servedBy(store.countEdges({ from: room(from), rule: messages }, newCall()))).toBe(1);
      proxy.decide(() => ({ kind: 'answer', status, body }));
      expect(await codeOf(store.countEdges({ from: room(from), rule: messages }, newCall()))).toBe('store_unavailable');
    },
  );

  it('of a replica that has not reached the session token is never "not found"', async () => {
    const lagging: Fate = {
      kind: 'answer',
      status: 404,
      body: '{"message":"lag"}',
      headers: { 'x-ms-substatus': '1002' },
    };
    const object = keyOf('Message', 'lagging');
    const content = { content: Buffer.from('x'), contentType: 'text/plain', precondition: NONE };
    await servedBy(store.putObject(object, content, newCall()));
    firstly(1, isRead, lagging);
    expect(await codeOf(store.getObject(object, newCall()))).toBe('served');
    proxy.decide(() => lagging);
    expect(await codeOf(store.getObject(object, newCall()))).toBe('store_unavailable');
  });
});

describe('a wrong key', () => {
  it('is store_unavailable and names no secret', async () => {
    firstly(9, () => true, { kind: 'answer', status: 401, body: '{"code":"Unauthorized","message":"secret hint"}' });
    const refused = await put('unauthorized', 'a');
    expect(refused).toMatchObject({ code: 'store_unavailable' });
    expect(JSON.stringify(refused)).not.toContain('secret hint');
  });
});
