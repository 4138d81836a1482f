import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { allocateQuotas, enter, forgetWorker, leave, openQuotas, type QuotaTable, take } from '#gateway/quota/table.ts';

const SECOND = 1_000_000_000n;
const reads = (perSecond: number, slot = 0) => ({ slot, dimension: 'reads' as const, perSecond });
const fresh = () => openQuotas(allocateQuotas(2), 2);

function takeMany(table: QuotaTable, perSecond: number, at: { count: number; nowNs: bigint }): number {
  let taken = 0;
  for (let index = 0; index < at.count; index++) {
    if (take(table, reads(perSecond), 1, { nowNs: at.nowNs, force: false }).ok) taken += 1;
  }
  return taken;
}

describe('a bucket', () => {
  test('holds one second of its limit and refills at its rate', () => {
    const table = fresh();
    expect(takeMany(table, 10, { count: 50, nowNs: 5n * SECOND })).toBe(10);
    expect(takeMany(table, 10, { count: 50, nowNs: 5n * SECOND + SECOND / 2n })).toBe(5);
    expect(takeMany(table, 10, { count: 50, nowNs: 60n * SECOND })).toBe(10);
  });

  test('is one for all workers that open the same memory', () => {
    const buffer = allocateQuotas(2);
    const [a, b] = [openQuotas(buffer, 2), openQuotas(buffer, 2)];
    expect(takeMany(a, 10, { count: 6, nowNs: SECOND }) + takeMany(b, 10, { count: 50, nowNs: SECOND })).toBe(10);
  });

  test('says when to come back, and then has a unit', () => {
    const table = fresh();
    takeMany(table, 4, { count: 4, nowNs: SECOND });
    const refused = take(table, reads(4), 1, { nowNs: SECOND, force: false });
    expect(refused).toEqual({ ok: false, remaining: 0, retryAfterMs: 250 });
    expect(take(table, reads(4), 1, { nowNs: SECOND + 250_000_000n, force: false }).ok).toBe(true);
  });

  test('of limit zero gives nothing; of a fraction gives one unit in its time', () => {
    const table = fresh();
    expect(takeMany(table, 0, { count: 5, nowNs: SECOND })).toBe(0);
    expect(takeMany(table, 0.5, { count: 5, nowNs: SECOND })).toBe(1);
    expect(takeMany(table, 0.5, { count: 5, nowNs: 3n * SECOND })).toBe(1);
  });

  test('keeps its units, not its time, when the limit changes', () => {
    const table = fresh();
    takeMany(table, 1, { count: 1, nowNs: SECOND });
    expect(takeMany(table, 1_000, { count: 2_000, nowNs: SECOND })).toBe(999);
    expect(takeMany(table, 10, { count: 5, nowNs: SECOND })).toBe(0);
  });

  test('settles: what was reserved too much comes back, a debt is at most one second', () => {
    const table = fresh();
    const at = { nowNs: SECOND, force: true };
    takeMany(table, 10, { count: 10, nowNs: SECOND });
    take(table, reads(10), -4, at);
    expect(takeMany(table, 10, { count: 10, nowNs: SECOND })).toBe(4);
    for (let index = 0; index < 100; index++) take(table, reads(10), 10, at);
    expect(takeMany(table, 10, { count: 10, nowNs: 2n * SECOND })).toBe(0);
    expect(takeMany(table, 10, { count: 20, nowNs: 3n * SECOND })).toBe(10);
  });

  test('never gives more than its burst and its rate, whatever the arrivals', () => {
    const arrivals = fc.array(fc.integer({ min: 0, max: 400_000_000 }), { minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(arrivals, fc.integer({ min: 1, max: 50 }), (gaps, perSecond) => {
        const table = fresh();
        let nowNs = SECOND;
        let taken = 0;
        for (const gap of gaps) {
          nowNs += BigInt(gap);
          if (take(table, reads(perSecond), 1, { nowNs, force: false }).ok) taken += 1;
        }
        const elapsedS = Number(nowNs - SECOND) / 1e9;
        expect(taken).toBeLessThanOrEqual(perSecond * (1 + elapsedS) + 1e-6);
      }),
    );
  });
});

describe('requests in flight', () => {
  test('are counted over all workers of the gateway', () => {
    const table = fresh();
    expect(enter(table, { slot: 3, worker: 0 }, 2)).toBe(true);
    expect(enter(table, { slot: 3, worker: 1 }, 2)).toBe(true);
    expect(enter(table, { slot: 3, worker: 0 }, 2)).toBe(false);
    expect(enter(table, { slot: 4, worker: 0 }, 2)).toBe(true);
    leave(table, { slot: 3, worker: 1 });
    expect(enter(table, { slot: 3, worker: 0 }, 2)).toBe(true);
  });

  test('of a worker that died are forgotten', () => {
    const table = fresh();
    enter(table, { slot: 3, worker: 1 }, 1);
    forgetWorker(table, 1);
    expect(enter(table, { slot: 3, worker: 0 }, 1)).toBe(true);
  });
});
