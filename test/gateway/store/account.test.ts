import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAccount } from '#gateway/store/account.ts';
import { faultOf } from '#gateway/store/errors.ts';
import { BrokenAttempt } from '#gateway/store/http/broken-attempt.ts';
import { allocateStoreMemory } from '#gateway/store/store-memory.ts';
import { type Fixture, idOf, keyOf, messages, newCall, servedBy, startFixture } from './store-fixture.ts';
import { containerOf } from './stored-items.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(() => fixture.stop());

const from = keyOf('Conversation', 'c');

describe('the container of a local endpoint', () => {
  it('is made by the first call, however many gateways start at once, as the layout says', async () => {
    const stores = Array.from({ length: 6 }, () => fixture.another());
    const puts = stores.map((store, index) =>
      servedBy(store.putEdge({ from, rule: messages, toId: idOf(`m${index}`) }, { timeMs: 1, data: null }, newCall())),
    );
    await Promise.all(puts);
    expect(await servedBy(fixture.store.countEdges({ from, rule: messages }, newCall()))).toBe(6);
    const { resource } = await containerOf(fixture.emulator).read();
    expect(resource).toMatchObject({
      partitionKey: { paths: ['/pk'], version: 2 },
      defaultTtl: -1,
      indexingPolicy: { includedPaths: [{ path: '/s/?' }], excludedPaths: [{ path: '/*' }] },
    });
  });

  it('that was removed is made again without a restart', async () => {
    await containerOf(fixture.emulator).delete();
    // The first call may meet the hole; from then on the gateway knows.
    await fixture.store.countEdges({ from, rule: messages }, newCall());
    expect(await servedBy(fixture.store.countEdges({ from, rule: messages }, newCall()))).toBe(0);
    expect(await fixture.store.probe()).toEqual({ reachable: true, message: 'Cosmos DB answers.' });
  });
});

it('a container that stays missing makes a worker forget tokens and clients once a second, not with each request', async () => {
  const { emulator } = fixture;
  const effect = { kind: 'status', status: 404, subStatus: 1003, retryAfterMs: null } as const;
  emulator.faults.add({ effect, percent: 100, operations: ['read'] });
  let nowMs = Date.now();
  const account = createAccount({
    endpoint: emulator.url,
    credential: { kind: 'key', key: emulator.key },
    preferredRegions: [],
    reach: (url) => url,
    now: () => nowMs,
    random: Math.random,
    maxConnections: 4,
    pointReads: 'rest',
    memory: allocateStoreMemory(),
  });
  const clientAfterRead = async () => {
    const result = await account.write(newCall(), { pk: 'pk', timeoutMs: 5_000 }, async (container, abortSignal) => {
      const { statusCode, substatus } = await container.item('h', 'pk').read({ abortSignal });
      throw Object.assign(new Error('missing'), { code: statusCode, substatus });
    });
    expect(result).toMatchObject({ kind: 'fault', fault: { status: 404, subStatus: 1003 } });
    return account.regions.write().client();
  };
  try {
    const first = await clientAfterRead();
    expect(await clientAfterRead()).toBe(first);
    nowMs += 1_000;
    expect(await clientAfterRead()).not.toBe(first);
  } finally {
    await account.close();
    await emulator.faults.clear();
  }
});

describe('what the SDK throws', () => {
  const withCode = (code: unknown, more: object = {}) => Object.assign(new Error('x'), { code, ...more });

  it('is read through its causes, with sub-status and wait', () => {
    const throttled = withCode(429, { substatus: 3200, retryAfterInMs: 20 });
    const wrapped = new Error('Batch request error: x', { cause: throttled });
    expect(faultOf(wrapped, true)).toEqual({ kind: 'reply', status: 429, subStatus: 3200, retryAfterMs: 20 });
  });

  it('after a byte was sent is unknown when it is not a reply', () => {
    expect(faultOf(new SyntaxError('bad JSON'), true)).toMatchObject({ kind: 'broken', wasSent: true });
    expect(faultOf(new BrokenAttempt('reset', true), true)).toMatchObject({ kind: 'broken', wasSent: true });
  });

  it('before a byte was sent is never taken for an answer to it', () => {
    expect(faultOf(withCode(503), false)).toMatchObject({ kind: 'broken', wasSent: false });
    expect(faultOf(new BrokenAttempt('of another request', true), false)).toMatchObject({ wasSent: false });
  });

  it('by a mistake of ours is thrown on, not told as an outage', () => {
    expect(() => faultOf(new TypeError('our mistake'), false)).toThrow('our mistake');
  });
});
