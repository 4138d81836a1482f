import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { WriteCall } from '#gateway/pipeline/store-port.ts';
import type { Store } from '#gateway/store/create-store.ts';
import { createHedgeBudget } from '#gateway/store/regions/hedge-budget.ts';
import { createLatency } from '#gateway/store/regions/latency.ts';
import { allocateRegionTable, openRegionTable } from '#gateway/store/regions/shared-table.ts';
import { allocateStoreMemory, type StoreMemory } from '#gateway/store/store-memory.ts';
import { idOf, keyOf, messages, newCall, servedBy } from '#test/gateway/store/store-fixture.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { startTwoRegions, type TwoRegions } from './two-regions.ts';

let world: TwoRegions;
let store: Store;
let memory: StoreMemory;
beforeEach(async () => {
  world = await startTwoRegions();
  memory = allocateStoreMemory();
  store = world.open({ memory });
  await servedBy(store.putEdge({ ...edge, toId: idOf('a') }, { timeMs: 1, data: null }, newCall()));
});
afterEach(() => world.stop());

const edge = { from: keyOf('Conversation', 'room'), rule: messages };
const SLOW = { kind: 'slow', delayMs: 1_500, perQueuedMs: 0 } as const;
const read = async (change: Partial<WriteCall> = {}) => {
  const call = newCall(change);
  expect(await servedBy(store.countEdges(edge, call))).toBe(1);
  return call.attempts;
};
/** Enough reads to know how long one takes. */
const learn = async () => {
  for (let index = 0; index < 120; index += 1) await read();
};
/** As if many reads had been served before. */
const save = () => {
  const budget = createHedgeBudget(openRegionTable(memory.regions));
  for (let index = 0; index < 1_000; index += 1) budget.earn();
};
/** Whatever a busy machine made of the reads before. */
const prepare = async () => {
  await learn();
  save();
  return stateOf('East') ?? expect.fail('East is not known');
};
const stateOf = (region: string) => store.regions().find((one) => one.region === region);

describe('a read that takes longer than most', () => {
  it('is sent to the other region too, and the first reply is used; both are charged', async () => {
    const before = await prepare();
    world.fault('West', SLOW, { operations: ['read'] });
    const attempts = await read();
    expect(attempts.map(({ region, status, hedge, overtaken }) => ({ region, status, hedge, overtaken }))).toEqual([
      { region: 'East', status: 200, hedge: true, overtaken: false },
      { region: 'West', status: 0, hedge: false, overtaken: true },
    ]);
    const [used, other] = attempts;
    expect(other?.ru).toBe(used?.ru);
    expect(used?.ru).toBeGreaterThan(0);
    expect(stateOf('East')).toMatchObject({ hedges: before.hedges + 1, hedgesWon: before.hedgesWon + 1 });
  });

  it('keeps the connection of the slower one, whose reply comes late', async () => {
    await prepare();
    const before = stateOf('West')?.connections;
    world.fault('West', { ...SLOW, delayMs: 300 }, { operations: ['read'] });
    await read();
    await waitUntil(() => stateOf('West')?.connections.idle === before?.idle);
    expect(stateOf('West')?.connections.opened).toBe(before?.opened);
  });

  it('is used itself when it comes first after all', async () => {
    const before = await prepare();
    world.fault('West', { ...SLOW, delayMs: 600 }, { operations: ['read'] });
    world.fault('East', SLOW, { operations: ['read'] });
    const attempts = await read();
    expect(attempts.map(({ region, hedge, overtaken }) => ({ region, hedge, overtaken }))).toEqual([
      { region: 'West', hedge: false, overtaken: false },
      { region: 'East', hedge: true, overtaken: true },
    ]);
    expect(stateOf('East')).toMatchObject({ hedges: before.hedges + 1, hedgesWon: before.hedgesWon });
  });

  it('is waited for when the second one fails, and replaced when it fails itself', async () => {
    await prepare();
    world.fault('West', { ...SLOW, delayMs: 600 }, { operations: ['read'] });
    world.fault('East', { kind: 'reset' }, { operations: ['read'] });
    const waited = await read();
    expect(waited.map(({ region, status }) => [region, status])).toEqual([
      ['East', 0],
      ['West', 200],
    ]);
    await world.emulator.faults.clear();
    world.fault('West', { kind: 'hang' }, { operations: ['read'] });
    expect((await read()).at(0)).toMatchObject({ region: 'East', status: 200, hedge: true });
  });

  it('is not hedged when it is critical, before enough is known, or when the other region is down', async () => {
    save();
    world.fault('West', { ...SLOW, delayMs: 600 }, { operations: ['read'], times: 1 });
    expect(await read()).toHaveLength(1);
    await prepare();
    world.fault('East', { ...SLOW, delayMs: 600 }, { operations: ['batch'], times: 1 });
    expect(await read({ consistency: 'critical' })).toHaveLength(1);
    await world.emulator.faults.clear();
    world.fault('East', { kind: 'refuse' });
    await waitUntil(async () => {
      await store.probe();
      return stateOf('East')?.breaker === 'open';
    });
    world.fault('West', { ...SLOW, delayMs: 600 }, { operations: ['read'], times: 1 });
    expect(await read()).toHaveLength(1);
  });
});

describe('the budget of hedged reads', () => {
  it('is a twentieth of the reads of all workers, and what is saved up ends at fifty', () => {
    const buffer = allocateRegionTable();
    const [one, other] = [createHedgeBudget(openRegionTable(buffer)), createHedgeBudget(openRegionTable(buffer))];
    expect(one.spend()).toBe(false);
    for (let index = 0; index < 40; index += 1) (index % 2 === 0 ? one : other).earn();
    expect([one.spend(), other.spend(), one.spend()]).toEqual([true, true, false]);
    for (let index = 0; index < 5_000; index += 1) one.earn();
    let spent = 0;
    while (one.spend()) spent += 1;
    expect(spent).toBe(50);
  });

  it('holds when all reads are slow', async () => {
    await learn();
    world.fault('West', { ...SLOW, delayMs: 600 }, { operations: ['read'] });
    await Promise.all(Array.from({ length: 80 }, () => read()));
    expect(stateOf('East')?.hedges).toBeGreaterThan(0);
    expect(stateOf('East')?.hedges).toBeLessThanOrEqual((120 + 80) * 0.05);
  });
});

describe('the usual time of a read', () => {
  it('is not known before 100 replies, and then is what 95 % of the last 512 took at most', () => {
    const latency = createLatency();
    for (let index = 0; index < 99; index += 1) latency.note(1_000);
    expect(latency.p95Ms()).toBeNull();
    latency.note(1_000);
    expect(latency.p95Ms()).toBe(1);
    for (let index = 0; index < 1_000; index += 1) latency.note(index % 10 === 0 ? 40_000 : 2_000);
    expect(latency.p95Ms()).toBe(40);
    for (let index = 0; index < 1_000; index += 1) latency.note(3_000);
    expect(latency.p95Ms()).toBe(3);
  });
});
