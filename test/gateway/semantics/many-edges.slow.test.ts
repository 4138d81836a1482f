import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { EdgeTypeName, ObjectId } from '#gateway/contract/ids.ts';
import { sortString } from '#gateway/store/layout/sort-string.ts';
import { eventually } from '#test/gateway/fixtures/eventually.ts';
import { containerOf } from '#test/gateway/store/stored-items.ts';
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

const EDGES = 20_000;
/** So many edges have the same time. */
const EQUAL = 500;
const BATCH = 99;
const PIN = EdgeTypeName.parse('pins');

/** Edges as the gateway lays them out, a hundred items a batch: through its API they would take minutes. */
async function fill(id: string): Promise<void> {
  const container = containerOf(fleet.cosmos);
  const pk = `chat|Conversation|${id}`;
  const item = (n: number) => {
    const to = ObjectId.parse(`m${n}`);
    const timeMs = Math.floor(n / EQUAL);
    return { id: `e~pins~${to}`, pk, type: PIN, to, s: sortString(PIN, timeMs, to), r: 1, w: 'filled', timeMs };
  };
  for (let start = 0; start < EDGES; start += BATCH) {
    const size = Math.min(BATCH, EDGES - start);
    const operations = Array.from({ length: size }, (_, n) => ({
      ...{ operationType: 'Create' as const, resourceBody: item(start + n) },
    }));
    const { code } = await container.items.batch(operations, pk);
    if (code !== 200) throw new Error(`The store answered ${code} to a batch of edges.`);
  }
  await container.items.create({ id: 'h', pk, state: 'open', n: { pins: EDGES }, bytes: EDGES * 200 });
}

/** What happens to edges while others are read: each n of 20,000 is one of these. */
const isDeleted = (n: number) => n % 1_000 === 7;
const isMoved = (n: number) => n % 1_000 === 13;

test('T6: a walk of 20,000 edges meets each that stays exactly once, over equal times, changes, gateways and a restart', {
  timeout: 300_000,
}, async () => {
  await fill('t6');
  const path = '/objects/Conversation/t6/edges/pins';
  const met = new Map<string, number>();
  const added = new Set<string>();
  /** At the page that was read last, and half the list away from it. */
  const change = async (page: number) => {
    for (const at of [page % 20, (page + 10) % 20]) {
      const toId = `added-${page}-${at}`;
      const moved = page % 2 === 0 ? 0 : 1_000;
      added.add(toId);
      const { call } = fleet.b;
      const replies = [
        await call('DELETE', `${path}/m${at * 1_000 + 7}`),
        await call('PUT', `${path}/m${at * 1_000 + 13}`, { body: JSON.stringify({ time: moved }) }),
        await call('PUT', `${path}/${toId}`, { body: JSON.stringify({ time: at * 2 }) }),
      ];
      expect(replies.map(({ code }) => code)).toEqual([null, null, null]);
    }
  };
  let cursor: string | undefined;
  let page = 0;
  do {
    const through: Call = page % 2 === 0 ? fleet.a.call : fleet.b.call;
    const query = cursor === undefined ? 'limit=1000' : `limit=1000&cursor=${cursor}`;
    const reply = await through('GET', `${path}?${query}`);
    expect(reply.code).toBeNull();
    for (const { toId } of reply.body.edges) met.set(toId, (met.get(toId) ?? 0) + 1);
    cursor = reply.body.cursor;
    await change(page);
    // Cursors are sealed with the fleet's secret and nothing that one process holds.
    if (page === 9) {
      fleet.a.kill();
      await fleet.a.restart();
    }
    page += 1;
  } while (cursor !== undefined);

  expect(page).toBeGreaterThanOrEqual(EDGES / 1_000);
  const staying = Array.from({ length: EDGES }, (_, n) => n).filter((n) => !isDeleted(n) && !isMoved(n));
  expect(staying.filter((n) => met.get(`m${n}`) !== 1)).toEqual([]);
  for (let n = 7; n < EDGES; n += 1_000) expect(met.get(`m${n}`) ?? 0).toBeLessThanOrEqual(1);
  for (const toId of added) expect(met.get(toId) ?? 0).toBeLessThanOrEqual(1);
  // Every 1,000th was deleted.
  expect((await fleet.b.call('GET', `${path}:count`)).body).toEqual({ count: EDGES - EDGES / 1_000 + added.size });
});
