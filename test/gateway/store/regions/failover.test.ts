import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { WriteCall } from '#gateway/pipeline/store-port.ts';
import type { Store } from '#gateway/store/create-store.ts';
import { allocateStoreMemory } from '#gateway/store/store-memory.ts';
import { codeOf, idOf, keyed, keyOf, messages, newCall, servedBy } from '#test/gateway/store/store-fixture.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { ACCOUNT, startTwoRegions, type TwoRegions } from './two-regions.ts';

let world: TwoRegions;
let store: Store;
/** How far the clock of the stores was put forward. */
let aheadMs = 0;
const now = () => Date.now() + aheadMs;
const open = (change: Parameters<TwoRegions['open']>[0] = {}) => world.open({ clock: { now }, ...change });
/** From here on the account document may be read again. */
const letTimePass = () => {
  aheadMs += 10_000;
};
beforeEach(async () => {
  world = await startTwoRegions();
  store = open();
  await servedBy(put('room', 'seed'));
  letTimePass();
});
afterEach(() => world.stop());

const edge = { from: keyOf('Conversation', 'room'), rule: messages };
/** Longer than time is put forward. */
const call = (change: Partial<WriteCall> = {}) => newCall({ deadlineAtMs: now() + 25_000, ...change });
const put = (_room: string, to: string, of: WriteCall = call(), through = store) =>
  through.putEdge({ ...edge, toId: idOf(to) }, { timeMs: 1, data: null }, of);
const statuses = (of: ReturnType<typeof newCall>) =>
  of.attempts.map(({ region, status, subStatus }) => `${region} ${status}/${subStatus}`);

describe('when the account moves its writes', () => {
  it('a write is refused by the old region and follows the account document, once', async () => {
    world.emulator.failover(ACCOUNT, 'West');
    const write = call();
    await servedBy(put('room', 'a', write));
    expect(statuses(write)).toEqual(['East 403/3', 'West 200/0']);
    const next = call();
    await servedBy(put('room', 'b', next));
    expect(statuses(next)).toEqual(['West 200/0']);
    expect(await servedBy(store.countEdges(edge, call({ consistency: 'critical' })))).toBe(3);
  });

  it('a critical read is never served by the region that writes have left', async () => {
    world.emulator.failover(ACCOUNT, 'West');
    await servedBy(put('room', 'a', call(), open()));
    world.fault('East', { kind: 'lag', lagMs: null });
    await servedBy(put('room', 'b', call(), open()));
    const read = call({ consistency: 'critical' });
    expect(await servedBy(store.countEdges(edge, read))).toBe(3);
    expect(statuses(read)).toEqual(['East 403/3', 'West 200/0']);
  });

  it('all workers of the process follow what one of them read', async () => {
    const memory = allocateStoreMemory();
    const [one, other] = [open({ memory }), open({ memory })];
    await servedBy(put('room', 'a', call(), one));
    await servedBy(put('room', 'b', call(), other));
    letTimePass();
    world.emulator.failover(ACCOUNT, 'West');
    await servedBy(put('room', 'c', call(), one));
    const write = call();
    await servedBy(put('room', 'd', write, other));
    expect(statuses(write)).toEqual(['West 200/0']);
  });

  it('the document is read at most once in five seconds, however many writes are refused', async () => {
    let reads = 0;
    const counted = open({
      reach: (url) => {
        reads += 1;
        return url;
      },
    });
    await servedBy(put('room', 'a', call(), counted));
    letTimePass();
    const before = reads;
    // Both regions refuse writes: the account is between two write regions.
    const moving = { kind: 'status', status: 403, subStatus: 3, retryAfterMs: null } as const;
    for (const region of ['East', 'West'] as const) world.fault(region, moving, { operations: ['batch'] });
    const refused = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        codeOf(put('room', `m${index}`, call({ deadlineAtMs: now() + 1_500 }), counted)),
      ),
    );
    expect(refused).not.toContain('served');
    expect(refused).toContain('store_unavailable');
    // One reading names three regions: East, West, and East again as the one that takes writes.
    expect(reads - before).toBe(3);
  });
});

describe('when the region that takes writes is gone', () => {
  it('writes are store_unavailable while the account has not moved, and are served when it has', async () => {
    const fresh = open({ endpoint: world.url.West });
    expect(await servedBy(fresh.countEdges(edge, call()))).toBe(1);
    world.fault('East', { kind: 'refuse' });
    // By then the store has seen that its idle connections were cut: nothing of the write is sent.
    await expect(fetch(world.url.East)).rejects.toThrow();
    const lost = call({ deadlineAtMs: now() + 300 });
    expect(await codeOf(put('room', 'a', lost, fresh))).toBe('store_unavailable');
    expect(new Set(statuses(lost))).toEqual(new Set(['East 0/0']));
    letTimePass();
    world.emulator.failover(ACCOUNT, 'West');
    const write = call();
    await servedBy(put('room', 'a', write, fresh));
    expect(statuses(write)).toEqual(['East 0/0', 'West 200/0']);
  });

  it('a write whose outcome is unknown is sent again where writes go now, and has one effect', async () => {
    world.fault('East', { kind: 'commitThenReset' }, { operations: ['batch'], times: 1 });
    world.fault('East', { kind: 'reset' }, { operations: ['batch'] });
    const write = call(keyed('k'));
    const answer = put('room', 'a', write);
    await waitUntil(() => write.attempts.length > 2);
    world.emulator.failover(ACCOUNT, 'West');
    letTimePass();
    expect(await servedBy(answer)).toMatchObject({ created: true });
    expect(new Set(write.attempts.map(({ region }) => region))).toEqual(new Set(['East', 'West']));
    expect(await servedBy(store.countEdges(edge, call({ consistency: 'critical' })))).toBe(2);
  });
});

describe('a gateway that cannot read the account document', () => {
  it('serves by the configured endpoint alone, and learns the regions as soon as it can', async () => {
    world.fault(
      'East',
      { kind: 'status', status: 503, subStatus: 0, retryAfterMs: null },
      { operations: ['metadata'] },
    );
    const blind = open();
    const first = call();
    await servedBy(put('room', 'a', first, blind));
    expect(new Set(first.attempts.map(({ region }) => region))).toEqual(new Set([new URL(world.url.East).host]));
    expect(await servedBy(blind.countEdges(edge, call()))).toBe(2);
    await world.emulator.faults.clear();
    letTimePass();
    await waitUntil(async () => {
      const read = call();
      await servedBy(blind.countEdges(edge, read));
      return read.attempts[0]?.region === 'West';
    });
  });
});
