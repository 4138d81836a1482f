import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ACCOUNT, type Place, startTwoRegions, type TwoRegions } from '#test/gateway/emulator/two-regions.ts';
import { refusal } from '#test/gateway/emulator/with-emulator.ts';
import { waitUntil } from '#test/support/wait-until.ts';

let test: TwoRegions;
/** Draws of the replica that serves a read: the endpoint takes them from here, over and over. */
let draws: number[];
let drawn: number;
beforeEach(async () => {
  draws = [0];
  drawn = 0;
  test = await startTwoRegions({ random: () => draws[drawn++ % draws.length] ?? 0 });
});
afterEach(() => test.close());

const lagWest = (lagMs: number | null) =>
  test.emulator.faults.add({ account: ACCOUNT, region: 'West', effect: { kind: 'lag', lagMs } });

async function sees({ container }: Place, id: string, options: object = {}): Promise<boolean> {
  return (await container.item(id, 'p').read(options)).statusCode === 200;
}

const write = (id: string) => test.east.container.items.create({ id, pk: 'p' });

describe('a region that lags', () => {
  it('never sees a write early, sees it in the end, and at once when the fault is lifted', async () => {
    const lagMs = 200;
    const { id } = lagWest(lagMs);
    for (const name of ['first', 'second', 'third']) {
      const writtenMs = performance.now();
      await write(name);
      expect(await sees(test.east, name)).toBe(true);
      await waitUntil(() => sees(test.west, name));
      // The clock of the endpoint counts whole milliseconds.
      expect(performance.now() - writtenMs).toBeGreaterThan(lagMs - 2);
    }
    await write('last');
    expect(await sees(test.west, 'last')).toBe(false);
    await test.emulator.faults.remove(id);
    expect(await sees(test.west, 'last')).toBe(true);
  });

  it('with no end stands still, however much is written and checkpointed', async () => {
    await write('before');
    lagWest(null);
    const fill = 'x'.repeat(4_000);
    for (let round = 0; round < 6; round += 1) {
      const creates = Array.from({ length: 400 }, (_, n) =>
        test.east.container.items.create({ id: `${round}-${n}`, pk: 'p', fill }),
      );
      await Promise.all(creates);
    }
    await test.east.container.item('before', 'p').replace({ id: 'before', pk: 'p', v: 2 });
    const count = async ({ container }: Place) =>
      (await container.items.query('SELECT VALUE COUNT(1) FROM c', { partitionKey: 'p' }).fetchAll()).resources[0];
    expect(await count(test.east)).toBe(2_401);
    expect(await count(test.west)).toBe(1);
    expect((await test.west.container.item('before', 'p').read()).resource).not.toHaveProperty('v');
    await test.emulator.faults.clear();
    expect(await count(test.west)).toBe(2_401);
  });

  it('refuses a session that it has not reached with 404/1002, and tells how far it has come', async () => {
    const { headers: early } = await write('early');
    lagWest(null);
    const { headers: late } = await write('late');
    const token = (headers: object): string => String((headers as Record<string, unknown>)['x-ms-session-token']);
    const read = (headers: Record<string, string>) => test.west.raw('early', 'p', { headers });
    const reached = await read({ 'x-ms-session-token': token(early) });
    expect(reached.status).toBe(200);
    expect(reached.headers['x-ms-session-token']).toBe(token(early));
    const ahead = await read({ 'x-ms-session-token': token(late) });
    expect(ahead).toMatchObject({ status: 404, headers: { 'x-ms-substatus': '1002' } });
    expect(ahead.headers['x-ms-session-token']).toBe(token(early));
    const missing = await test.west.raw('late', 'p');
    expect(missing).toMatchObject({ status: 404, headers: { 'x-ms-substatus': '0' } });
    expect(missing.headers['x-ms-session-token']).toBe(token(early));
    const there = await test.east.raw('late', 'p', { headers: { 'x-ms-session-token': token(late) } });
    expect(there.status).toBe(200);
  });

  it('lists, queries and feeds what it has come to, and no container that is newer', async () => {
    await write('old');
    lagWest(null);
    await write('new');
    const { container } = test.west;
    const listed = await container.items.readAll<{ id: string }>({ partitionKey: 'p' }).fetchAll();
    expect(listed.resources.map(({ id }) => id)).toEqual(['old']);
    const queried = await container.items.query('SELECT VALUE c.id FROM c', { partitionKey: 'p' }).fetchAll();
    expect(queried.resources).toEqual(['old']);
    const fed = await test.west.raw('', 'p', { headers: { 'a-im': 'Incremental Feed' } });
    expect((JSON.parse(fed.body) as { Documents: { id: string }[] }).Documents.map(({ id }) => id)).toEqual(['old']);
    await test.container('newer');
    await test.client.database('test').container('newer').items.create({ id: 'x', pk: 'p' });
    const newer = test.west.client.database('test').container('newer');
    expect(await refusal(newer.items.query('SELECT * FROM c', { partitionKey: 'p' }).fetchAll())).toMatchObject({
      code: 404,
      substatus: 1013,
    });
    const absent = test.west.client.database('test').container('absent');
    expect((await refusal(absent.read())).code).toBe(404);
  });

  it('asks a quorum for the level of the account where the writes go, and one replica for weaker ones', async () => {
    test.emulator.faults.add({ region: 'East', effect: { kind: 'lag', lagMs: null } });
    await write('new');
    expect(await sees(test.east, 'new')).toBe(true);
    expect(await sees(test.east, 'new', { consistencyLevel: 'Eventual' })).toBe(false);
    expect(await sees(test.east, 'new', { consistencyLevel: 'Session' })).toBe(false);
    // A batch runs where the writes are.
    const { result } = await test.east.container.items.batch([{ operationType: 'Read', id: 'new' }], 'p');
    expect(result?.[0]?.statusCode).toBe(200);
    test.emulator.failover(ACCOUNT, 'West');
    expect(await sees(test.east, 'new')).toBe(false);
    expect(await sees(test.west, 'new')).toBe(true);
  });

  it('lags for one partition only when told so, and for as many reads as told', async () => {
    const items = [
      { id: 'a', pk: 'slow' },
      { id: 'a', pk: 'quick' },
    ];
    const effect = { kind: 'lag', lagMs: null } as const;
    test.emulator.faults.add({ region: 'West', partition: 'slow', times: 2, effect });
    for (const item of items) await test.east.container.items.create(item);
    const statuses = async (pk: string) => [
      (await test.west.raw('a', pk)).status,
      (await test.west.raw('a', pk)).status,
    ];
    expect(await statuses('quick')).toEqual([200, 200]);
    expect(await statuses('slow')).toEqual([404, 404]);
    expect(await statuses('slow')).toEqual([200, 200]);
    expect(test.emulator.state().faults).toEqual([]);
  });
});

describe('replicas that lag', () => {
  it('serve their share of the weak reads and none of a quorum', async () => {
    // One draw a read: the replicas take turns.
    draws = [0, 0.25, 0.5, 0.75];
    test.emulator.faults.add({ effect: { kind: 'replicaLag', lagMs: null, replicas: 1 } });
    await write('new');
    drawn = 0;
    const seen: boolean[] = [];
    for (let n = 0; n < 8; n += 1) seen.push(await sees(test.east, 'new', { consistencyLevel: 'Eventual' }));
    expect(seen).toEqual([false, true, true, true, false, true, true, true]);
    for (let n = 0; n < 4; n += 1) expect(await sees(test.west, 'new')).toBe(true);
    expect(test.emulator.state().faults[0]?.met).toBe(2);
  });

  it('all four behind are a region behind for weak reads; a token ahead is 404/1002', async () => {
    draws = [0.99];
    test.emulator.faults.add({ region: 'West', effect: { kind: 'replicaLag', lagMs: null, replicas: 4 } });
    const { headers } = await write('new');
    expect(await sees(test.west, 'new', { consistencyLevel: 'Session' })).toBe(false);
    expect(await sees(test.west, 'new')).toBe(true);
    const token = String((headers as Record<string, unknown>)['x-ms-session-token']);
    const ahead = await test.west.raw('new', 'p', {
      headers: { 'x-ms-session-token': token, 'x-ms-consistency-level': 'Session' },
    });
    expect(ahead).toMatchObject({ status: 404, headers: { 'x-ms-substatus': '1002' } });
  });
});
