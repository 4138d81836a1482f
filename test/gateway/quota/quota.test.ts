import { describe, expect, test } from 'vitest';
import { TeamName, TenantName } from '#gateway/contract/ids.ts';
import type { TenantEntry } from '#gateway/pipeline/indexes.ts';
import { createQuota } from '#gateway/quota/quota.ts';
import { createRefusalBucket } from '#gateway/quota/refusal-bucket.ts';
import { createSlots } from '#gateway/quota/slots.ts';
import { allocateQuotas, MAX_SLOTS, openQuotas, setLiveGateways } from '#gateway/quota/table.ts';

const tenant = (over: Partial<TenantEntry> = {}, quotas: Partial<TenantEntry['quotas']> = {}): TenantEntry => ({
  name: TenantName.parse('chat'),
  ownerTeam: TeamName.parse('chat'),
  slot: 0,
  mode: 'enforce',
  quotas: { readsPerSecond: 100, writesPerSecond: 100, ruPerSecond: 1_000, inFlight: 100, ...quotas },
  ...over,
});

function setUp() {
  const buffer = allocateQuotas(2);
  const clock = { nowNs: 1_000_000_000n };
  const table = openQuotas(buffer, 2);
  return { table, clock, quota: createQuota(table, { worker: 0, nowNs: () => clock.nowNs }) };
}

const read = { kind: 'reads' as const, operations: 1, object: null, estimateRu: 1 };
const write = { ...read, kind: 'writes' as const };

describe('admission', () => {
  test('gives each of two gateways half of a fleet-wide limit', () => {
    const { table, quota } = setUp();
    setLiveGateways(table, 2);
    const admitted = Array.from({ length: 80 }, () => quota.admit(tenant(), read)).filter((one) => one.admitted);
    expect(admitted).toHaveLength(50);
    expect(admitted[0]?.state).toEqual({ dimension: 'reads', limitPerSecond: 50, remaining: 49 });
  });

  test('refused for RU gives the request back', () => {
    const { quota } = setUp();
    const poor = tenant({}, { ruPerSecond: 10 });
    const big = { ...read, estimateRu: 10 };
    expect(quota.admit(poor, big).admitted).toBe(true);
    for (let index = 0; index < 200; index++) expect(quota.admit(poor, big)).toMatchObject({ dimension: 'ru' });
    expect(quota.admit(tenant({}, { ruPerSecond: 1_000_000 }), read).state.remaining).toBe(98);
  });

  test('settles with the real charge: cheaper than reserved gives back, dearer makes debt', () => {
    const { quota } = setUp();
    const poor = tenant({}, { ruPerSecond: 100 });
    const answer = quota.admit(poor, { ...read, estimateRu: 100 });
    expect(quota.admit(poor, read).admitted).toBe(false);
    if (answer.admitted) quota.settle(answer.hold, 1);
    expect(quota.admit(poor, { ...read, estimateRu: 99 }).admitted).toBe(true);
  });

  test('bounds requests in flight and frees a place with each settled one', () => {
    const { quota } = setUp();
    const narrow = tenant({}, { inFlight: 1 });
    const first = quota.admit(narrow, read);
    expect(quota.admit(narrow, read)).toMatchObject({ admitted: false, dimension: 'inFlight' });
    if (first.admitted) quota.settle(first.hold, 1);
    expect(quota.admit(narrow, read).admitted).toBe(true);
  });

  test('gives an object 350 writes at once and 50 a second, and what it refuses costs the tenant nothing', () => {
    const { quota, clock } = setUp();
    const rich = tenant({}, { writesPerSecond: 10_000, ruPerSecond: 10_000, inFlight: 10_000 });
    const put = (object: string, operations = 1) => quota.admit(rich, { ...write, object, operations });
    const admitted = Array.from({ length: 400 }, () => put('hot').admitted);
    expect(admitted.filter((one) => one)).toHaveLength(350);
    const refused = put('hot');
    expect(refused).toMatchObject({ dimension: 'objectWrites', retryAfterMs: 20, state: { limitPerSecond: 50 } });
    expect(put('cold')).toMatchObject({ admitted: true, state: { dimension: 'writes', remaining: 10_000 - 351 } });
    clock.nowNs += 1_000_000_000n;
    expect(Array.from({ length: 60 }, () => put('hot')).filter((one) => one.admitted)).toHaveLength(50);
    clock.nowNs += 7_000_000_000n;
    expect(put('hot', 96).admitted && put('hot', 96).admitted && put('hot', 96).admitted).toBe(true);
    expect(put('hot', 96).admitted).toBe(false);
    expect(put('hot', 62).admitted).toBe(true);
  });

  test('never lets one tenant spend what is another one’s', () => {
    const { quota } = setUp();
    for (let index = 0; index < 500; index++) quota.admit(tenant(), read);
    expect(quota.admit(tenant({ slot: 1 }), read).state.remaining).toBe(99);
  });
});

test('tenants keep their places over releases; too many do not fit', () => {
  const slots = createSlots();
  const first = slots.assign(['a', 'b']);
  expect([...(slots.assign(['c', 'b']) ?? [])]).toEqual([2, first?.[1]]);
  expect(slots.assign(Array.from({ length: MAX_SLOTS }, (_, index) => `t${index}`))).toBeNull();
});

test('an address may send a burst of bad credentials, then 20 a second; others are not touched', () => {
  const clock = { nowMs: 0 };
  const charge = createRefusalBucket(() => clock.nowMs);
  const burst = Array.from({ length: 100 }, () => charge('a')).filter((waitMs) => waitMs === null);
  expect(burst).toHaveLength(40);
  expect(charge('a')).toBe(50);
  expect(charge('b')).toBeNull();
  clock.nowMs += 1_000;
  expect(Array.from({ length: 100 }, () => charge('a')).filter((waitMs) => waitMs === null)).toHaveLength(20);
});
