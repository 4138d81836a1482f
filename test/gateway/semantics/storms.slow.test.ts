import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { eventually } from '#test/gateway/fixtures/eventually.ts';
import { rest, targetsAt } from './edges.ts';
import { type Call, type Fleet, startFleet } from './fleet.ts';

let fleet: Fleet;
beforeAll(async () => {
  fleet = await startFleet();
});
afterEach(() => fleet.cosmos.faults.clear());
afterAll(() => fleet?.stop());

/** Refusals that say for certain that nothing was written. */
const REFUSED = [
  ...['write_contended', 'delete_in_progress', 'quota_exceeded', 'overloaded'],
  ...['store_throttled', 'store_unavailable', 'deadline_exceeded'],
];

test('T17: edge.put racing with the sweep of its object: count = list, and no edge older than the delete remains', async () => {
  const object = '/objects/Conversation/t17';
  const path = `${object}/edges/pins`;
  await fleet.b.call('PUT', object, { body: 'x' });
  for (let start = 0; start < 300; start += 100) {
    const operations = Array.from({ length: 100 }, (_, n) => ({
      ...{ op: 'edge.put', type: 'Conversation', id: 't17', edgeType: 'pins', toId: `m${start + n}` },
    }));
    expect((await fleet.b.call('POST', '/batch', { body: JSON.stringify({ operations }) })).status).toBe(200);
  }
  const filled = (await targetsAt(fleet.b.call, path)).length;
  expect(filled).toBeGreaterThan(200);

  const acknowledged: string[] = [];
  /** Begun after the delete was over. */
  const later: string[] = [];
  const unknown: string[] = [];
  let isSwept = false;
  let isOver = false;
  const write = async (name: string, call: Call) => {
    for (let n = 0; !isOver; n += 1) {
      const toId = `${name}-${n}`;
      const isLater = isSwept;
      const { code } = await call('PUT', `${path}/${toId}`, { body: '{"time":2}' });
      if (code === 'outcome_unknown') unknown.push(toId);
      else if (code !== null) expect(REFUSED).toContain(code);
      else (isLater ? later : acknowledged).push(toId);
    }
  };
  const writers = [write('a', fleet.a.call), write('b', fleet.b.call), write('c', fleet.a.call)];
  await eventually('edges are put', () => acknowledged.length > 5, 60_000);
  const before = [...acknowledged];
  const sweep = async () => {
    const { code, body } = await fleet.b.call('DELETE', object);
    return code === null && body.sweeping !== true;
  };
  await eventually('the object is swept', sweep, 60_000);
  isSwept = true;
  await eventually('edges are put again', () => later.length > 3, 60_000);
  isOver = true;
  await Promise.all(writers);

  const targets = await targetsAt(fleet.a.call, path);
  expect(targets.filter((toId) => before.includes(toId) || toId.startsWith('m'))).toEqual([]);
  expect(targets).toEqual(expect.arrayContaining(later));
  expect([...acknowledged, ...later, ...unknown]).toEqual(expect.arrayContaining([...targets]));
});

test('T8: after a storm of puts and deletes from both sides, count = list = the lists of the inverses', async () => {
  const rooms = ['r0', 'r1', 'r2'];
  const ids = ['n0', 'n1', 'n2', 'n3'];
  const forward = (room: string) => `/objects/Conversation/${room}/edges/messages`;
  const inverse = (id: string) => `/objects/Message/${id}/edges/inConversation`;
  const batches = ['batch' as const];
  fleet.cosmos.faults.add({ operations: batches, percent: 10, effect: { kind: 'commitThenReset' } });
  fleet.cosmos.faults.add({ operations: batches, percent: 10, effect: { kind: 'batchStatus', status: 449, index: 0 } });
  const client = async (seed: number) => {
    const { call } = seed % 2 === 0 ? fleet.a : fleet.b;
    for (let n = seed; n < seed + 25; n += 1) {
      const room = rooms[n % rooms.length] ?? '';
      const id = ids[(n * 7 + seed) % ids.length] ?? '';
      const path = n % 3 === 0 ? `${inverse(id)}/${room}` : `${forward(room)}/${id}`;
      const isPut = (n * 5 + seed) % 8 < 5;
      const put = { body: JSON.stringify({ time: n }), headers: { 'idempotency-key': `${seed} ${n}` } };
      const { code } = isPut ? await call('PUT', path, put) : await call('DELETE', path);
      if (code !== null && code !== 'outcome_unknown') expect(REFUSED).toContain(code);
    }
  };
  await Promise.all(Array.from({ length: 8 }, (_, seed) => client(seed * 11)));
  await fleet.cosmos.faults.clear();
  await rest(fleet.cosmos, 'Conversation', rooms);

  const pairs: string[] = [];
  for (const room of rooms) for (const id of await targetsAt(fleet.a.call, forward(room))) pairs.push(`${room} ${id}`);
  const mirrored: string[] = [];
  for (const id of ids) for (const room of await targetsAt(fleet.b.call, inverse(id))) mirrored.push(`${room} ${id}`);
  expect(mirrored.toSorted()).toEqual(pairs.toSorted());
  expect(pairs.length).toBeGreaterThan(0);
});
