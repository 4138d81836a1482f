import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEmulator } from '#gateway/emulator/start.ts';
import { send } from '#test/gateway/emulator/raw-request.ts';
import { ACCOUNT, placeAt, startTwoRegions, type TwoRegions } from '#test/gateway/emulator/two-regions.ts';
import { clientOf, newFolder, refusal } from '#test/gateway/emulator/with-emulator.ts';

interface AccountDocument {
  readonly id: string;
  readonly writableLocations: readonly { name: string; databaseAccountEndpoint: string }[];
  readonly readableLocations: readonly { name: string; databaseAccountEndpoint: string }[];
}

let test: TwoRegions;
beforeAll(async () => {
  test = await startTwoRegions();
});
afterAll(() => test.close());

const accountAt = async (url: string): Promise<AccountDocument> =>
  JSON.parse((await send({ url, key: test.emulator.key, path: '' })).body) as AccountDocument;

describe('two regions of one account', () => {
  it('both tell of each other, the one that takes the writes first', async () => {
    const east = { name: 'East', databaseAccountEndpoint: `${test.east.url}/` };
    const west = { name: 'West', databaseAccountEndpoint: `${test.west.url}/` };
    for (const { url } of [test.east, test.west]) {
      expect(await accountAt(url)).toMatchObject({
        id: ACCOUNT,
        writableLocations: [east],
        readableLocations: [east, west],
      });
    }
  });

  it('what one region wrote, the other reads at once when nothing lags', async () => {
    await test.east.container.items.create({ id: 'seen', pk: 'p' });
    expect((await test.west.container.item('seen', 'p').read()).statusCode).toBe(200);
    const { resources } = await test.west.container.items
      .query('SELECT VALUE c.id FROM c', { partitionKey: 'p' })
      .fetchAll();
    expect(resources).toContain('seen');
  });

  it('a region that only reads answers every kind of write 403/3', async () => {
    const { container, client } = test.west;
    await test.east.container.items.create({ id: 'there', pk: 'p' });
    const item = container.item('there', 'p');
    const read = [{ operationType: 'Read', id: 'there' }] as const;
    const writes = [
      () => container.items.create({ id: 'x', pk: 'p' }),
      () => container.items.upsert({ id: 'x', pk: 'p' }),
      () => item.replace({ id: 'there', pk: 'p', v: 1 }),
      () => item.patch([{ op: 'set', path: '/v', value: 1 }]),
      () => item.delete(),
      // Even one of reads alone: a batch is always for the region that takes the writes.
      () => container.items.batch([...read], 'p'),
      () => client.databases.create({ id: 'other' }),
      () => client.database('test').containers.create({ id: 'other', partitionKey: '/pk' }),
      () => container.delete(),
    ];
    for (const write of writes) expect(await refusal(write())).toMatchObject({ code: 403, substatus: 3 });
    expect((await test.east.container.item('there', 'p').read()).resource).not.toHaveProperty('v');
  });

  it('the unmodified client, pointed at either region, finds the one that takes the writes', async () => {
    const client = clientOf(test.west.url, test.emulator.key);
    const { item } = await client.database('test').container('c').items.create({ id: 'found', pk: 'p' });
    expect((await item.read()).statusCode).toBe(200);
    client.dispose();
  });

  it('a failover moves the writes and loses none', async () => {
    await test.east.container.items.create({ id: 'before', pk: 'p' });
    test.emulator.failover(ACCOUNT, 'West');
    expect(await refusal(test.east.container.items.create({ id: 'late', pk: 'p' }))).toMatchObject({ code: 403 });
    await test.west.container.items.create({ id: 'after', pk: 'p' });
    for (const { container } of [test.east, test.west]) {
      expect((await container.item('before', 'p').read()).statusCode).toBe(200);
      expect((await container.item('after', 'p').read()).statusCode).toBe(200);
    }
    const document = await accountAt(test.east.url);
    expect(document.writableLocations.map(({ name }) => name)).toEqual(['West']);
    expect(document.readableLocations.map(({ name }) => name)).toEqual(['West', 'East']);
    test.emulator.failover(ACCOUNT, 'East');
  });

  it('counts the requests of each region', async () => {
    const requests = () => test.emulator.state().accounts[0]?.regions.map((region) => region.requests) ?? [];
    const [east = 0, west = 0] = requests();
    await test.west.raw('seen', 'p');
    await test.west.raw('seen', 'p');
    await test.east.raw('seen', 'p');
    expect(requests()).toEqual([east + 1, west + 2]);
  });
});

describe('several accounts', () => {
  const KEY = Buffer.from('the key of the other account').toString('base64');
  const other = { name: 'other', key: KEY, regions: [{ name: 'Only', port: 0 }] };
  const own = { name: ACCOUNT, regions: [{ name: 'East', port: 0 }] };

  it('keep their data and keys apart, and an account that comes later moves nothing', async () => {
    const dir = newFolder();
    const alone = await startEmulator({ dir, port: 0 });
    const client = clientOf(alone.url, alone.key);
    const { database } = await client.databases.create({ id: 'test' });
    const { container } = await database.containers.create({ id: 'c', partitionKey: '/pk' });
    await container.items.create({ id: 'kept', pk: 'p' });
    client.dispose();
    await alone.close();

    const both = await startEmulator({ dir, accounts: [own, other] });
    const [first, second] = both.accounts;
    const mine = placeAt(first?.regions[0]?.url ?? '', both.key);
    const theirs = placeAt(second?.regions[0]?.url ?? '', KEY);
    expect((await mine.container.item('kept', 'p').read()).statusCode).toBe(200);
    expect((await refusal(theirs.client.database('test').read())).code).toBe(404);
    const wrongKey = placeAt(theirs.url, both.key);
    expect((await refusal(wrongKey.client.database('test').read())).code).toBe(401);
    // A fault of one account is none of the other's.
    both.faults.add({ account: 'other', effect: { kind: 'status', status: 503 } });
    both.faults.add({ account: 'other', effect: { kind: 'lag', lagMs: null } });
    expect((await mine.raw('kept', 'p')).status).toBe(200);
    expect((await theirs.raw('kept', 'p')).status).toBe(503);
    for (const { client } of [mine, theirs, wrongKey]) client.dispose();
    await both.close();
    rmSync(dir, { recursive: true });
  });

  it('what cannot run is told in one sentence, and leaves nothing behind', async () => {
    const dir = newFolder();
    const start = (accounts: Parameters<typeof startEmulator>[0]['accounts']) =>
      startEmulator({ dir, ...(accounts && { accounts }) });
    await expect(start([])).rejects.toThrow('An endpoint needs at least one account.');
    await expect(start([own, own])).rejects.toThrow(`The account ${ACCOUNT} is named twice.`);
    await expect(start([{ ...own, name: 'Über' }])).rejects.toThrow('Über is not the name of an account');
    await expect(start([{ ...own, regions: [] }])).rejects.toThrow('needs at least one region');
    const twice = { ...own, regions: [...own.regions, ...own.regions] };
    await expect(start([twice])).rejects.toThrow(`The region of ${ACCOUNT} East is named twice.`);
    const running = await startEmulator({ dir: join(dir, 'other'), port: 0 });
    const taken = { ...own, regions: [...own.regions, { name: 'West', port: running.port }] };
    await expect(start([taken])).rejects.toThrow(`Port ${running.port} is taken.`);
    // Had East, or the folder, been left open, this would be refused.
    const again = await startEmulator({ dir, accounts: [own] });
    await again.close();
    await running.close();
    rmSync(dir, { recursive: true });
  });
});
