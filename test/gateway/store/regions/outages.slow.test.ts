import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FaultEffect } from '#gateway/contract/local-cosmos.ts';
import type { WriteCall } from '#gateway/pipeline/store-port.ts';
import type { Store } from '#gateway/store/create-store.ts';
import { allocateStoreMemory } from '#gateway/store/store-memory.ts';
import { codeOf, idOf, keyed, keyOf, messages, newCall, servedBy } from '#test/gateway/store/store-fixture.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { startTwoRegions, type TwoRegions } from './two-regions.ts';

let world: TwoRegions;
let store: Store;
beforeEach(async () => {
  world = await startTwoRegions();
  store = world.open();
  await servedBy(put('seed'));
  await servedBy(count(newCall()));
});
afterEach(() => world.stop());

const edge = { from: keyOf('Conversation', 'room'), rule: messages };
const LIST = { limit: 10, afterS: null, afterMs: null, beforeMs: null };
const put = (to: string, call: WriteCall = newCall(), through = store) =>
  through.putEdge({ ...edge, toId: idOf(to) }, { timeMs: 1, data: null }, call);
const count = (call: WriteCall, through = store) => through.countEdges(edge, call);
const stateOf = (region: string, through = store) =>
  through.regions().find((one) => one.region === region) ?? expect.fail(`${region} is not known`);
const regionsOf = (call: ReturnType<typeof newCall>) => call.attempts.map(({ region }) => region);

const status = (code: number, subStatus = 0): FaultEffect => ({
  kind: 'status',
  status: code,
  subStatus,
  retryAfterMs: null,
});

/** Reads until the breaker of West is open; each of them is served. */
async function openWest(through = store): Promise<void> {
  world.fault('West', { kind: 'refuse' });
  await waitUntil(async () => {
    expect(await servedBy(count(newCall(), through))).toBe(1);
    return stateOf('West', through).breaker === 'open';
  });
}

describe('a read whose nearest region', () => {
  const faults: readonly (readonly [string, FaultEffect])[] = [
    ['refuses connections', { kind: 'refuse' }],
    ['resets them', { kind: 'reset' }],
    ['hangs', { kind: 'hang' }],
    ['answers 503', status(503)],
    ['answers 408', status(408)],
    ['answers 410/1002', status(410, 1002)],
    ['answers 500', status(500)],
    ['answers with a page', { kind: 'html', status: 502 }],
    ['answers with nothing', { kind: 'empty', status: 503 }],
    ['throttles', { kind: 'status', status: 429, subStatus: 3200, retryAfterMs: 60_000 }],
    ['lags', status(404, 1002)],
    ['lost the account', status(403, 1008)],
  ];

  it.each(faults)('%s is served by the other, point reads and queries', async (_name, effect) => {
    world.fault('West', effect, effect.kind === 'refuse' ? {} : { operations: ['read', 'query'] });
    const read = newCall();
    expect(await servedBy(count(read))).toBe(1);
    expect(regionsOf(read)).toEqual(['West', 'East']);
    expect((await servedBy(store.listEdges(edge, LIST, newCall()))).edges).toHaveLength(1);
  });

  it('throttles is waited out when the other does too', async () => {
    const throttled = { kind: 'status', status: 429, subStatus: 3200, retryAfterMs: 20 } as const;
    for (const region of ['West', 'East'] as const) world.fault(region, throttled, { operations: ['read'], times: 2 });
    const read = newCall();
    expect(await servedBy(count(read))).toBe(1);
    expect(regionsOf(read)).toEqual(['West', 'East', 'West', 'East', 'West']);
    expect(stateOf('West')).toMatchObject({ throttled: 2, failures: 0, breaker: 'closed' });
  });

  it('fails, and then the other one too, is store_unavailable', async () => {
    for (const region of ['West', 'East'] as const) world.fault(region, status(503), { operations: ['read'] });
    const read = newCall();
    expect(await codeOf(count(read))).toBe('store_unavailable');
    expect(regionsOf(read)).toEqual(['West', 'East']);
  });
});

describe('an open breaker', () => {
  it('keeps reads away from the region at once, in every worker of the process', async () => {
    const memory = allocateStoreMemory();
    const [one, other] = [world.open({ memory }), world.open({ memory })];
    await servedBy(count(newCall(), other));
    await openWest(one);
    const read = newCall();
    await servedBy(count(read, other));
    expect(regionsOf(read)).toEqual(['East']);
  });

  it('closes when a health check is answered, and reads return', async () => {
    await store.watch();
    await openWest();
    await world.emulator.faults.clear();
    await waitUntil(() => stateOf('West').breaker === 'closed');
    const read = newCall();
    await servedBy(count(read));
    expect(regionsOf(read)).toEqual(['West']);
  });

  it('of the only region that could serve lets one request at a time find out', async () => {
    const alone = world.open({ endpoint: world.url.West, reach: () => world.url.West });
    await servedBy(count(newCall(), alone));
    world.fault('West', { kind: 'refuse' });
    await waitUntil(async () => {
      expect(await codeOf(count(newCall(), alone))).toBe('store_unavailable');
      return alone.regions()[0]?.breaker === 'open';
    });
    await world.emulator.faults.clear();
    await waitUntil(async () => (await codeOf(count(newCall(), alone))) === 'served');
  });

  it('of the region that takes writes refuses them at once, and critical reads', async () => {
    world.fault('East', { kind: 'refuse' });
    await waitUntil(async () => {
      await put('a', newCall({ deadlineAtMs: Date.now() + 600 }));
      return stateOf('East').breaker === 'open';
    });
    const write = newCall();
    expect(await put('a', write)).toMatchObject({ code: 'store_unavailable', details: { region: 'East' } });
    expect(write.attempts).toEqual([]);
    expect(await codeOf(count(newCall({ consistency: 'critical' })))).toBe('store_unavailable');
    expect(await servedBy(count(newCall()))).toBeGreaterThanOrEqual(1);
    await world.emulator.faults.clear();
    await waitUntil(async () => (await codeOf(put('a'))) === 'served');
  });

  it('does not keep a write from learning what became of it', async () => {
    world.fault('East', { kind: 'commitThenReset' }, { operations: ['batch'], times: 1 });
    world.fault('East', { kind: 'reset' }, { operations: ['batch'] });
    const write = put('b', newCall(keyed('k')));
    await waitUntil(() => stateOf('East').breaker === 'open');
    await world.emulator.faults.clear();
    expect(await servedBy(write)).toMatchObject({ created: true });
    expect(await servedBy(count(newCall({ consistency: 'critical' })))).toBe(2);
  });
});

describe('what is no sign of an unwell region', () => {
  it('is throttling, however much', async () => {
    const throttled = { kind: 'status', status: 429, subStatus: 3200, retryAfterMs: 1 } as const;
    for (const region of ['West', 'East'] as const) world.fault(region, throttled, { operations: ['read'] });
    // So short that an attempt which a busy machine cuts off says nothing of the region either.
    const reads = Array.from({ length: 20 }, () => codeOf(count(newCall({ deadlineAtMs: Date.now() + 450 }))));
    for (const code of await Promise.all(reads)) expect(['store_throttled', 'deadline_exceeded']).toContain(code);
    expect(stateOf('West')).toMatchObject({ failures: 0, breaker: 'closed' });
    expect(stateOf('West').throttled).toBeGreaterThan(0);
  });

  it('is waiting for a connection of this process', async () => {
    const narrow = world.open({ maxConnections: 1 });
    await servedBy(count(newCall(), narrow));
    world.fault('West', { kind: 'hang' }, { operations: ['read'] });
    const reads = Array.from({ length: 12 }, () => codeOf(count(newCall(), narrow)));
    expect(new Set(await Promise.all(reads))).toEqual(new Set(['served']));
    expect(stateOf('West', narrow)).toMatchObject({ failures: 1, breaker: 'closed' });
  });

  it('is a caller in a hurry', async () => {
    world.fault('West', { kind: 'slow', delayMs: 60, perQueuedMs: 0 }, { operations: ['read'] });
    world.fault('East', { kind: 'slow', delayMs: 60, perQueuedMs: 0 }, { operations: ['read'] });
    const reads = Array.from({ length: 80 }, () => codeOf(count(newCall({ deadlineAtMs: Date.now() + 20 }))));
    expect(await Promise.all(reads)).not.toContain('served');
    expect(stateOf('West')).toMatchObject({ failures: 0, breaker: 'closed' });
  });
});

describe('the health of the store', () => {
  it('names the region that is down while the other serves', async () => {
    expect(await store.probe()).toEqual({ reachable: true, message: 'Cosmos DB answers.' });
    world.fault('West', { kind: 'refuse' });
    const { reachable, message } = await store.probe();
    expect(reachable).toBe(true);
    expect(message).toMatch(/^Cosmos DB answers in East, not everywhere: West: /);
  });

  it('says when nothing can be written, and when nothing answers', async () => {
    world.fault('East', status(503));
    expect((await store.probe()).message).toBe(
      'Cosmos DB answers reads in West and takes no writes: East: It answered 503.',
    );
    world.fault('West', status(503));
    expect(await store.probe()).toMatchObject({ reachable: false });
  });

  it('counts attempts, failures and connections by region', async () => {
    world.fault('West', status(503), { operations: ['read'], times: 1 });
    await servedBy(count(newCall()));
    const { connections, ...west } = stateOf('West');
    expect(west).toMatchObject({
      account: 'habitat-local',
      takesWrites: false,
      attempts: 2,
      failures: 1,
      throttled: 0,
    });
    expect(stateOf('East').takesWrites).toBe(true);
    expect(connections.requests).toBeGreaterThanOrEqual(2);
    expect(connections.opened).toBeGreaterThanOrEqual(1);
  });
});
