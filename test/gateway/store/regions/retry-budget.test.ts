import { afterEach, expect, it } from 'vitest';
import { createRetryBudget } from '#gateway/store/regions/retry-budget.ts';
import { allocateRegionTable, openRegionTable, slotOf } from '#gateway/store/regions/shared-table.ts';
import { allocateStoreMemory } from '#gateway/store/store-memory.ts';
import { idOf, keyed, keyOf, messages, newCall, servedBy } from '#test/gateway/store/store-fixture.ts';
import { startTwoRegions, type TwoRegions } from './two-regions.ts';

const START = 1_800_000_000_000;

function newBudgets() {
  const table = allocateRegionTable();
  const open = (origin: string) => createRetryBudget(slotOf(openRegionTable(table), origin));
  return { one: open('https://east'), other: open('https://east'), west: open('https://west') };
}

const spendAll = (budget: ReturnType<typeof createRetryBudget>, nowMs: number) => {
  let spent = 0;
  while (budget.spend(nowMs)) spent += 1;
  return spent;
};

it('retries of a region are spent by all workers together, and those of another region are its own', () => {
  const { one, other, west } = newBudgets();
  expect(spendAll(one, START)).toBeGreaterThanOrEqual(100);
  expect(other.spend(START)).toBe(false);
  expect(west.spend(START)).toBe(true);
});

it('a fifth of the attempts may be retries', () => {
  const { one, other } = newBudgets();
  spendAll(one, START);
  for (let attempt = 0; attempt < 50; attempt += 1) other.earn(START);
  expect(spendAll(one, START)).toBe(10);
});

it('a gateway without traffic earns a retry every tenth of a second, and never more than it could save', () => {
  const { one } = newBudgets();
  spendAll(one, START);
  for (let ms = 0; ms < 1_000; ms += 10) one.earn(START + ms);
  const earned = spendAll(one, START + 1_000);
  expect(earned).toBeGreaterThanOrEqual(20 + 9);
  expect(earned).toBeLessThanOrEqual(20 + 11);
  for (let attempt = 0; attempt < 10_000; attempt += 1) one.earn(START + 2_000);
  expect(spendAll(one, START + 2_000)).toBe(100);
});

/** Draws spread evenly from 0 to 1, however many of them a request takes: by steps of the golden ratio. */
function evenDraws(): () => number {
  let draws = 0;
  return () => {
    draws += 1;
    return (draws * 0.618_033_988_75) % 1;
  };
}

let world: TwoRegions | null = null;
afterEach(async () => {
  await world?.stop();
  world = null;
});

it('an unwell region is asked again for at most a fifth of all attempts, however many requests fail', async () => {
  // About every fourth: five in a row would open the breaker, in whatever order eight at a time are answered.
  world = await startTwoRegions({ random: evenDraws() });
  const memory = allocateStoreMemory();
  const store = world.open({ memory, random: () => 0 });
  const edge = { from: keyOf('Conversation', 'room'), rule: messages };
  const call = () => newCall({ ...keyed(crypto.randomUUID()), deadlineAtMs: Date.now() + 20_000 });
  const put = (to: string, by = call()) => store.putEdge({ ...edge, toId: idOf(to) }, { timeMs: 1, data: null }, by);
  await servedBy(put('seed'));
  const effect = { kind: 'status', status: 408, subStatus: 0, retryAfterMs: null } as const;
  world.fault('East', effect, { percent: 25, operations: ['batch'] });
  const startedAt = performance.now();
  spendAll(createRetryBudget(slotOf(openRegionTable(memory.regions), world.url.East)), Date.now());
  let attempts = 0;
  const REQUESTS = 150;
  const worker = async (from: number) => {
    for (let index = from; index < REQUESTS; index += 8) {
      const by = call();
      await put(`to-${index}`, by);
      attempts += by.attempts.length;
    }
  };
  await Promise.all(Array.from({ length: 8 }, (_, from) => worker(from)));
  const byTime = (performance.now() - startedAt) / 100;
  // A fifth of all attempts and what time earned: (retries + requests) / 5 + byTime. Without a budget one of four is
  // repeated, and one of four of those: a third more.
  expect(attempts - REQUESTS).toBeLessThanOrEqual(Math.ceil((REQUESTS / 5 + 2 + byTime) / 0.8));
  expect(attempts - REQUESTS).toBeGreaterThanOrEqual(REQUESTS / 10);
});
