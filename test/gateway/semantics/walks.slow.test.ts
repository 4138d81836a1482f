import { afterAll, beforeAll, expect, test } from 'vitest';
import { EdgeTypeName, ObjectId } from '#gateway/contract/ids.ts';
import { sortString } from '#gateway/store/layout/sort-string.ts';
import { containerOf } from '#test/gateway/store/stored-items.ts';
import { type Call, type Fleet, startFleet } from './fleet.ts';

let fleet: Fleet;
beforeAll(async () => {
  fleet = await startFleet();
});
afterAll(() => fleet?.stop());

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

test('T6: a walk of 20,000 edges meets each that stays exactly once, over equal times, changes, gateways and a restart', async () => {
  await fill('t6');
  const path = '/objects/Conversation/t6/edges/pins';
  const met = new Map<string, number>();
  const change = async (page: number) => {
    // On both sides of where the walk is.
    for (const at of [page, (page + 10) % 20]) {
      await fleet.b.call('DELETE', `${path}/m${at * 1_000 + 7}`);
      await fleet.b.call('PUT', `${path}/m${at * 1_000 + 13}`, {
        body: JSON.stringify({ time: page % 2 ? 1_000 : 0 }),
      });
      await fleet.b.call('PUT', `${path}/added-${page}-${at}`, { body: JSON.stringify({ time: at * 2 }) });
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
    await change(page % 20);
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
  for (const [toId, times] of met) if (toId.startsWith('added')) expect(times).toBe(1);
  // Every 1,000th was deleted, and one was added for each page and side.
  const { count } = (await fleet.b.call('GET', `${path}:count`)).body;
  const added = [...Array(page).keys()].length * 2;
  expect(count).toBe(EDGES - 20 + added);
});
