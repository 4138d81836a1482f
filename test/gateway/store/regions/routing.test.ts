import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { WriteCall } from '#gateway/pipeline/store-port.ts';
import type { Store } from '#gateway/store/create-store.ts';
import type { PointLane } from '#gateway/store/points/point-reads.ts';
import { allocateStoreMemory } from '#gateway/store/store-memory.ts';
import { LANES } from '#test/gateway/store/points/lanes.ts';
import { codeOf, idOf, keyOf, messages, newCall, replyOf, servedBy } from '#test/gateway/store/store-fixture.ts';
import { startTwoRegions, type TwoRegions } from './two-regions.ts';

let world: TwoRegions;
let store: Store;
let pointReads: PointLane;
beforeAll(async () => {
  world = await startTwoRegions();
});
afterEach(() => world.emulator.faults.clear());
afterAll(() => world.stop());

const edge = (room: string) => ({ from: keyOf('Conversation', `${room} ${pointReads}`), rule: messages });
const put = (room: string, to: string, call: WriteCall = newCall(), through = store) =>
  through.putEdge({ ...edge(room), toId: idOf(to) }, { timeMs: 1, data: null }, call);
const regionsOf = (call: ReturnType<typeof newCall>) => call.attempts.map(({ region }) => region);
/** The store of these tests reads points this way, and its rooms are its own. */
function useLane(lane: PointLane): void {
  beforeAll(() => {
    pointReads = lane;
    store = world.open({ pointReads });
  });
}

const LIST = { limit: 10, afterS: null, afterMs: null, beforeMs: null };

describe.each(LANES)('a store whose nearest region takes no writes (%s)', (lane) => {
  useLane(lane);

  it('reads there, and writes where the account says', async () => {
    const write = newCall();
    await servedBy(put('near', 'a', write));
    expect(regionsOf(write)).toEqual(['East', 'East']);
    const read = newCall();
    expect(await servedBy(store.countEdges(edge('near'), read))).toBe(1);
    expect(regionsOf(read)).toEqual(['West']);
  });

  it('sends critical reads and lists to the region that takes writes', async () => {
    await servedBy(put('critical', 'a'));
    world.fault('West', { kind: 'lag', lagMs: null });
    await servedBy(put('critical', 'b'));
    const count = newCall({ consistency: 'critical' });
    expect(await servedBy(store.countEdges(edge('critical'), count))).toBe(2);
    expect(regionsOf(count)).toEqual(['East']);
    const list = newCall({ consistency: 'critical' });
    expect((await servedBy(store.listEdges(edge('critical'), LIST, list))).edges).toHaveLength(2);
    expect(new Set(regionsOf(list))).toEqual(new Set(['East']));
  });

  it('names its own region when nothing else is asked for: the order of the account', async () => {
    const call = newCall();
    await servedBy(world.open({ pointReads, preferredRegions: [] }).countEdges(edge('near'), call));
    expect(regionsOf(call)).toEqual(['East']);
  });

  it('knows regions by the names that Azure and its SDKs write', async () => {
    const call = newCall();
    await servedBy(
      world.open({ pointReads, preferredRegions: ['nowhere', ' w e s t '] }).countEdges(edge('near'), call),
    );
    expect(regionsOf(call)).toEqual(['West']);
  });
});

describe.each(LANES)('while a read region lags (%s)', (lane) => {
  useLane(lane);

  it('a read of what this gateway wrote is served where it is there: T9, T10', async () => {
    await servedBy(put('lag', 'a'));
    world.fault('West', { kind: 'lag', lagMs: null });
    await servedBy(put('lag', 'b'));
    const call = newCall();
    expect(await servedBy(store.countEdges(edge('lag'), call))).toBe(2);
    expect(call.attempts.map(({ region, status, subStatus }) => [region, status, subStatus])).toEqual([
      ['West', 404, 1002],
      ['East', 200, 0],
    ]);
  });

  it('a read through another worker of the process sees it too', async () => {
    const memory = allocateStoreMemory();
    const [one, other] = [world.open({ pointReads, memory }), world.open({ pointReads, memory })];
    await servedBy(put('workers', 'a', newCall(), one));
    world.fault('West', { kind: 'lag', lagMs: null });
    await servedBy(put('workers', 'b', newCall(), one));
    expect(await servedBy(other.countEdges(edge('workers'), newCall()))).toBe(2);
  });

  it('a read through another gateway sees it with the session, and may not without', async () => {
    await servedBy(put('session', 'a'));
    world.fault('West', { kind: 'lag', lagMs: null });
    const { session } = await replyOf(put('session', 'b'));
    const other = world.open({ pointReads });
    expect(await servedBy(other.countEdges(edge('session'), newCall({ session })))).toBe(2);
    const eventual = newCall({ consistency: 'eventual' });
    expect(await servedBy(other.countEdges(edge('session'), eventual))).toBe(1);
    expect(regionsOf(eventual)).toEqual(['West']);
  });

  it('an old reply never takes back what the client or this gateway knows', async () => {
    await servedBy(put('back', 'a'));
    world.fault('West', { kind: 'lag', lagMs: null });
    const { session } = await replyOf(put('back', 'b'));
    const eventual = newCall({ consistency: 'eventual', session });
    const old = await replyOf(store.countEdges(edge('back'), eventual));
    expect(old.value).toBe(1);
    expect(old.session).toEqual(session);
    expect(await servedBy(store.countEdges(edge('back'), newCall()))).toBe(2);
  });

  it('a session that no region has reached is store_unavailable, never "not found"', async () => {
    const { session } = await replyOf(put('ahead', 'a'));
    const ahead = session.map((one) => ({ ...one, token: '0#999999999' }));
    const call = newCall({ session: ahead });
    expect(await codeOf(store.getObject(keyOf('Conversation', 'nothing'), call))).toBe('store_unavailable');
    expect(new Set(regionsOf(call))).toEqual(new Set(['West', 'East']));
  });
});
