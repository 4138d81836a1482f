import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { FaultEffect } from '#gateway/contract/local-cosmos.ts';
import type { WriteCall } from '#gateway/pipeline/store-port.ts';
import { codeOf, idOf, keyed, newCall } from '#test/gateway/store/store-fixture.ts';
import { edgeOf, put, READS, startWireScene, type WireScene, WRITES } from './scene.ts';
import { ROWS } from './table.ts';

let scene: WireScene;
beforeAll(async () => {
  scene = await startWireScene();
});
afterEach(() => scene.world.emulator.faults.clear());
afterAll(() => scene.stop());

/** A third of all requests in both regions; whole regions refuse in turn. */
const STORM_PERCENT = 33;
const PAIRS = 16;
const MOST_PAIRS = 10 * PAIRS;

/** What may be stored after a write was told this. */
type Trace = 'there' | 'gone' | 'either';

it.each(ROWS.filter(({ effect }) => effect.kind !== 'refuse'))(
  'while a third of all requests meets "$fault", no acknowledged write is lost and none is applied twice',
  async (row) => {
    const room = `storm ${row.fault}`;
    const store = await scene.begin(room);
    for (const region of ['East', 'West'] as const) {
      const operations = row.read === null ? WRITES : [...READS, ...WRITES];
      await scene.play(row, { store, region, operations, percent: STORM_PERCENT });
    }
    const traces = new Map<string, Trace>([['seed', 'there']]);
    const call = (key: string) => newCall({ ...keyOrNone(key), deadlineAtMs: Date.now() + 3_000 });

    /** Adds an edge, deletes every second one again, and notes what must be there. */
    async function addAndMaybeDelete(index: number): Promise<void> {
      const to = `e${index}`;
      const added = await codeOf(put(store, room, to, call(`put-${to}`)));
      traces.set(to, traceOf(added, { done: 'there', undone: 'gone' }));
      if (index % 2 === 0 || added !== 'served') return;
      const deleted = await codeOf(store.deleteEdge({ ...edgeOf(room), toId: idOf(to) }, call(`delete-${to}`)));
      traces.set(to, traceOf(deleted, { done: 'gone', undone: 'there' }));
    }

    const met = () => scene.world.emulator.faults.list().reduce((sum, fault) => sum + fault.met, 0);
    // Chance decides who meets it: more are sent until enough have.
    for (let sent = 0; met() <= PAIRS / 4 && sent < MOST_PAIRS; sent += PAIRS) {
      await Promise.all(Array.from({ length: PAIRS }, (_, index) => addAndMaybeDelete(sent + index)));
    }
    expect(met()).toBeGreaterThan(PAIRS / 4);
    const { count, targets } = await scene.stored(room);
    expect(count).toBe(targets.length);
    for (const [to, trace] of traces) {
      if (trace !== 'either') expect([to, targets.includes(to)]).toEqual([to, trace === 'there']);
    }
    // A storm of this strength leaves most writes served: the test is not empty.
    expect([...traces.values()].filter((trace) => trace !== 'either').length).toBeGreaterThan(traces.size / 2);
  },
);

/** Every third write has no key. */
function keyOrNone(name: string): Partial<WriteCall> {
  return Number(name.replace(/\D/g, '')) % 3 === 0 ? {} : keyed(name, name);
}

function traceOf(told: string, is: { readonly done: Trace; readonly undone: Trace }): Trace {
  if (told === 'served') return is.done;
  return told === 'outcome_unknown' ? 'either' : is.undone;
}

it('while regions refuse in turn, reads go on, and what was acknowledged is there', async () => {
  const room = 'storm refused';
  const store = await scene.begin(room);
  const refuse: FaultEffect = { kind: 'refuse' };
  const served: string[] = ['seed'];
  for (let round = 0; round < 6; round += 1) {
    const region = round % 2 === 0 ? 'West' : 'East';
    await scene.play({ effect: refuse }, { store, region, operations: READS });
    const reads = Array.from({ length: 5 }, () => codeOf(store.countEdges(edgeOf(room), newCall())));
    // Writes have one region only: refused there, they fail soon, before its breaker opens.
    const withinMs = region === 'West' ? 15_000 : 300;
    const told = await codeOf(put(store, room, `r${round}`, newCall({ deadlineAtMs: Date.now() + withinMs })));
    expect(await Promise.all(reads)).toEqual(reads.map(() => 'served'));
    expect(told).toBe(region === 'West' ? 'served' : 'store_unavailable');
    if (told === 'served') served.push(`r${round}`);
    await scene.world.emulator.faults.clear();
  }
  expect(await scene.stored(room)).toEqual({ count: served.length, targets: served.toSorted() });
});
