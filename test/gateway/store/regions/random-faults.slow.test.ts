import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FaultEffect, FaultOperation } from '#gateway/contract/local-cosmos.ts';
import { isDenial } from '#gateway/pipeline/denial.ts';
import type { Store } from '#gateway/store/create-store.ts';
import { allocateStoreMemory } from '#gateway/store/store-memory.ts';
import { idOf, keyed, keyOf, messages, newCall, servedBy } from '#test/gateway/store/store-fixture.ts';
import { ACCOUNT, startTwoRegions, type TwoRegions } from './two-regions.ts';

/**
 * Two gateways of two workers each, two regions, and faults that come and go by a seed. One region at a time is unwell, as
 * a region is; lag and failover come on top. Proves what a caller may rely on, whatever happens below.
 */
const RUNS = 4;
const WRITERS = 6;
const WRITES = 18;
const ROOMS = 3;

interface Trouble {
  readonly region: 'East' | 'West';
  readonly kind:
    | 'refuse'
    | 'reset'
    | 'hang'
    | 'slow'
    | '503'
    | '429'
    | '449'
    | 'commitThenReset'
    | 'late'
    | 'lag'
    | 'failover';
  readonly percent: number;
  readonly forMs: number;
}

const trouble: fc.Arbitrary<Trouble> = fc.record({
  region: fc.constantFrom('East', 'West'),
  kind: fc.constantFrom(
    ...([
      'refuse',
      'reset',
      'hang',
      'slow',
      '503',
      '429',
      '449',
      'commitThenReset',
      'late',
      'lag',
      'failover',
    ] as const),
  ),
  percent: fc.constantFrom(20, 50, 100),
  forMs: fc.integer({ min: 50, max: 400 }),
});

const status = (code: number, retryAfterMs: number | null): FaultEffect => ({
  ...{ kind: 'status', status: code, subStatus: code === 429 ? 3200 : 0, retryAfterMs },
});

function effectOf(kind: Exclude<Trouble['kind'], 'failover'>): FaultEffect {
  switch (kind) {
    case '503':
      return status(503, null);
    case '429':
    case '449':
      return status(Number(kind), 5);
    case 'slow':
      return { kind, delayMs: 120, perQueuedMs: 1 };
    case 'late':
      return { kind: 'delayedDelivery', delayMs: 150 };
    case 'lag':
      return { kind, lagMs: null };
    default:
      return { kind };
  }
}

const DATA: FaultOperation[] = ['read', 'query', 'write', 'batch'];

async function play(world: TwoRegions, troubles: readonly Trouble[]): Promise<void> {
  for (const { region, kind, percent, forMs } of troubles) {
    if (kind === 'failover') world.emulator.failover(ACCOUNT, region);
    else if (kind === 'refuse' || kind === 'lag') world.fault(region, effectOf(kind));
    else world.fault(region, effectOf(kind), { operations: DATA, percent });
    await pause(forMs);
    await world.emulator.faults.clear();
  }
}

interface Told {
  readonly room: number;
  readonly target: string;
  /** null: the outcome was not learnt. */
  readonly written: boolean | null;
}

const room = (index: number) => ({ from: keyOf('Conversation', `room-${index}`), rule: messages });
const LIST = { limit: 1_000, afterS: null, afterMs: null, beforeMs: null };

/** Each writer adds edges of its own; each acknowledged one must be seen by a critical read at once. */
async function write(store: Store, writer: number): Promise<Told[]> {
  const told: Told[] = [];
  for (let index = 0; index < WRITES; index += 1) {
    const at = index % ROOMS;
    const target = `w${writer}-${index}`;
    const call = newCall({ ...keyed(target), deadlineAtMs: Date.now() + 4_000 });
    const answer = await store.putEdge({ ...room(at), toId: idOf(target) }, { timeMs: index, data: null }, call);
    if (!isDenial(answer)) {
      expect(answer.value.created).toBe(true);
      await expectSeen(store, at, target);
    } else expect(REFUSALS).toContain(answer.code);
    told.push({
      room: at,
      target,
      written: isDenial(answer) ? (answer.code === 'outcome_unknown' ? null : false) : true,
    });
  }
  return told;
}

const REFUSALS = ['store_unavailable', 'store_throttled', 'outcome_unknown', 'deadline_exceeded', 'write_contended'];

async function expectSeen(store: Store, at: number, target: string): Promise<void> {
  const want = { toIds: [idOf(target)], afterMs: null, beforeMs: null };
  for (const consistency of ['critical', 'session'] as const) {
    const found = await store.getEdges(room(at), want, newCall({ consistency, deadlineAtMs: Date.now() + 2_000 }));
    if (isDenial(found)) expect(REFUSALS).toContain(found.code);
    else expect({ consistency, target, found: found.value.length }).toEqual({ consistency, target, found: 1 });
  }
}

describe('two regions under random faults', () => {
  it('lose no acknowledged write, apply none twice, and show each to the reads that follow it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(trouble, { minLength: 8, maxLength: 14 }), async (troubles) => {
        const world = await startTwoRegions();
        try {
          const stores = [allocateStoreMemory(), allocateStoreMemory()].flatMap((memory) => [
            world.open({ memory }),
            world.open({ memory, preferredRegions: ['East'] }),
          ]);
          for (const store of stores) await store.watch();
          const writers = Array.from({ length: WRITERS }, (_, writer) => {
            const store = stores[writer % stores.length];
            return store === undefined ? [] : write(store, writer);
          });
          const over = { isOver: false };
          const reading = Promise.all(stores.map((store) => readOn(store, over)));
          const [told] = await Promise.all([Promise.all(writers), play(world, troubles)]);
          over.isOver = true;
          expectServed(await reading);
          await world.emulator.faults.clear();
          await expectTruth(world, told.flat());
        } finally {
          await world.stop();
        }
      }),
      { numRuns: RUNS, seed: 20_261_130, endOnFailure: true },
    );
  }, 110_000);
});

interface Reads {
  served: number;
  refused: number;
}

async function readOn(store: Store, over: { readonly isOver: boolean }): Promise<Reads> {
  const reads: Reads = { served: 0, refused: 0 };
  while (!over.isOver) {
    const call = newCall({ consistency: 'eventual', deadlineAtMs: Date.now() + 4_000 });
    const answer = await store.countEdges(room(0), call);
    if (isDenial(answer)) {
      reads.refused += 1;
      await pause(20);
    } else reads.served += 1;
  }
  return reads;
}

/** A read is refused only when one region fails it just before, and the other just after, the trouble changes sides. */
function expectServed(all: readonly Reads[]): void {
  const refused = all.reduce((sum, one) => sum + one.refused, 0);
  const served = all.reduce((sum, one) => sum + one.served, 0);
  expect(served).toBeGreaterThan(0);
  expect(refused).toBeLessThanOrEqual(served / 10);
}

async function expectTruth(world: TwoRegions, told: readonly Told[]): Promise<void> {
  const fresh = world.open();
  const critical = () => newCall({ consistency: 'critical' });
  for (let at = 0; at < ROOMS; at += 1) {
    const { edges } = await servedBy(fresh.listEdges(room(at), LIST, critical()));
    const present = new Set<string>(edges.map(({ toId }) => toId));
    expect(present.size).toBe(edges.length);
    expect(await servedBy(fresh.countEdges(room(at), critical()))).toBe(edges.length);
    const own = told.filter((one) => one.room === at);
    expect(own.filter(({ target, written }) => written === true && !present.has(target))).toEqual([]);
    expect(own.filter(({ target, written }) => written === false && present.has(target))).toEqual([]);
  }
  expect(told.filter(({ written }) => written === true).length).toBeGreaterThan(told.length / 4);
}
