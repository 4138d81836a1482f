import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { WriteCall } from '#gateway/pipeline/store-port.ts';
import { LANES } from '#test/gateway/store/points/lanes.ts';
import { codeOf, keyed, newCall, servedBy } from '#test/gateway/store/store-fixture.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { edgeOf, put, READS, startWireScene, type WireScene, WRITES } from './scene.ts';
import { ROWS } from './table.ts';

let scene: WireScene;
beforeAll(async () => {
  scene = await startWireScene();
});
afterEach(() => scene.world.emulator.faults.clear());
afterAll(() => scene.stop());

const soon = (ms: number, change: Partial<WriteCall> = {}) => newCall({ ...change, deadlineAtMs: Date.now() + ms });
const attemptsOf = (call: ReturnType<typeof newCall>) =>
  call.attempts.map(({ region, status, subStatus }) => `${region} ${status}/${subStatus}`);

const keys: readonly (readonly [string, Partial<WriteCall>])[] = [
  ['without a key', {}],
  ['with a key', keyed('k')],
];

describe.each(ROWS)('$fault', (row) => {
  const { write } = row;

  it.each(keys)('a write %s whose first attempt meets it has one effect and one answer', async (name, key) => {
    const room = `${row.fault} ${name}`;
    const store = await scene.begin(room);
    await scene.play(row, { store, region: 'East', operations: WRITES, times: 1 });
    const call = soon(4_000, key);
    const writing = codeOf(put(store, room, 'a', call));
    if (row.effect.kind === 'refuse') {
      await waitUntil(() => call.attempts.length > 0);
      await scene.world.emulator.faults.clear();
    }
    const told = await writing;
    expect(told).toBe(write.told ?? 'served');
    // Refusing lasts longer than one attempt.
    if (row.effect.kind === 'refuse') expect(new Set(attemptsOf(call))).toEqual(new Set(write.once));
    else expect(attemptsOf(call)).toEqual(write.once);
    const targets = told === 'served' ? ['a', 'seed'] : ['seed'];
    expect(await scene.stored(room)).toEqual({ count: targets.length, targets });
  });

  it('a write that meets it until its deadline is told what is known', async () => {
    const room = `${row.fault} always`;
    const store = await scene.begin(room);
    await scene.play(row, { store, region: 'East', operations: WRITES });
    const call = soon(400);
    const told = await codeOf(put(store, room, 'a', call));
    // Of a copy that the deadline cut off, nothing is known.
    const [last, met] = [attemptsOf(call).at(-1), write.once[0]];
    expect(told).toBe(last === 'East 0/0' && last !== met ? 'outcome_unknown' : write.always);
    const { count, targets } = await scene.stored(room);
    expect(count).toBe(targets.length);
    // What is called unknown may be there, once; everything else is certain not to be.
    if (told !== 'outcome_unknown') expect(targets).toEqual(['seed']);
  });
});

const READ_ROWS = LANES.flatMap((lane) =>
  ROWS.flatMap(({ read, ...row }) => (read === null ? [] : [{ ...row, read, lane }])),
);

describe.each(READ_ROWS)('$fault, by point reads of the lane $lane', (row) => {
  it('reads that meet it in the nearest region are served by the other', async () => {
    const room = `${row.fault} read ${row.lane}`;
    const store = await scene.begin(room, row.lane);
    await scene.play(row, { store, region: 'West', operations: READS });
    const calls = Array.from({ length: 4 }, () => soon(15_000));
    for (const count of calls.map((call) => store.countEdges(edgeOf(room), call)))
      expect(await servedBy(count)).toBe(1);
    for (const call of calls) expect(attemptsOf(call)).toEqual(row.read.once);
  });

  it('a read that meets it everywhere is refused, and never "not found"', async () => {
    const room = `${row.fault} nowhere ${row.lane}`;
    const store = await scene.begin(room, row.lane);
    for (const region of ['East', 'West'] as const) await scene.play(row, { store, region, operations: READS });
    // Only what goes on until the deadline needs one that is near.
    const call = soon(row.read.always === 'store_unavailable' ? 15_000 : 400);
    expect(await codeOf(store.countEdges(edgeOf(room), call))).toBe(row.read.always);
  });
});

it('the wait that an operation inside a 207 asks for is heeded, and told when it is too long', async () => {
  const store = await scene.begin('inner wait');
  const effect = { kind: 'batchStatus', status: 429, index: 0, retryAfterMs: 50_000 } as const;
  scene.world.fault('East', effect, { operations: WRITES });
  const call = soon(2_000);
  expect(await put(store, 'inner wait', 'a', call)).toMatchObject({ code: 'store_throttled', retryAfterMs: 50_000 });
  expect(attemptsOf(call)).toEqual(['East 207/0']);
});

describe('slow', () => {
  it('a slow write is waited for and sent once', async () => {
    const store = await scene.begin('slow write');
    scene.world.fault('East', { kind: 'slow', delayMs: 150, perQueuedMs: 0 }, { operations: WRITES });
    const call = soon(10_000);
    await servedBy(put(store, 'slow write', 'a', call));
    expect(attemptsOf(call)).toEqual(['East 200/0']);
    expect(await scene.stored('slow write')).toEqual({ count: 2, targets: ['a', 'seed'] });
  });

  it('a write that is slower than its attempt may be is sent again, and has one effect', async () => {
    const store = await scene.begin('slower write');
    scene.world.fault('East', { kind: 'slow', delayMs: 3_500, perQueuedMs: 0 }, { operations: WRITES, times: 1 });
    const call = soon(6_000);
    await servedBy(put(store, 'slower write', 'a', call));
    expect(attemptsOf(call)).toEqual(['East 0/0', 'East 200/0']);
    expect(await scene.stored('slower write')).toEqual({ count: 2, targets: ['a', 'seed'] });
  });

  it('a read that its nearest region leaves waiting is served by the other', async () => {
    const store = await scene.begin('slow read');
    scene.world.fault('West', { kind: 'slow', delayMs: 60_000, perQueuedMs: 0 }, { operations: READS });
    const call = soon(15_000);
    expect(await servedBy(store.countEdges(edgeOf('slow read'), call))).toBe(1);
    expect(attemptsOf(call)).toEqual(['West 0/0', 'East 200/0']);
  });
});
