import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refusal, startTestEmulator, type TestEmulator } from './with-emulator.ts';

let test: TestEmulator;
beforeAll(async () => {
  test = await startTestEmulator();
});
afterAll(() => test.close());

describe('partitions', () => {
  it('keeps two items of the same id in two partitions apart', async () => {
    const container = await test.container('isolation');
    await container.items.create({ id: 'x', pk: 'a', from: 'a' });
    await container.items.create({ id: 'x', pk: 'b', from: 'b' });
    expect((await container.item('x', 'a').read()).resource.from).toBe('a');
    expect((await container.item('x', 'b').read()).resource.from).toBe('b');
    await container.item('x', 'a').delete();
    expect((await container.item('x', 'a').read()).statusCode).toBe(404);
    expect((await container.item('x', 'b').read()).statusCode).toBe(200);
  });

  it('finds nothing of another partition by read, replace, patch, delete or query', async () => {
    const container = await test.container('isolation');
    await container.items.create({ id: 'only-a', pk: 'a', s: '1' });
    expect((await container.item('only-a', 'b').read()).statusCode).toBe(404);
    expect((await refusal(container.item('only-a', 'b').delete())).code).toBe(404);
    expect((await refusal(container.item('only-a', 'b').replace({ id: 'only-a', pk: 'b' }))).code).toBe(404);
    expect((await refusal(container.item('only-a', 'b').patch([{ op: 'set', path: '/v', value: 1 }]))).code).toBe(404);
    const found = await container.items.query('SELECT * FROM c WHERE c.s = "1"', { partitionKey: 'b' }).fetchAll();
    expect(found.resources).toEqual([]);
  });

  it('tells string, number, boolean, null and absent keys apart', async () => {
    const container = await test.container('isolation');
    const keys = ['1', 1, true, null] as const;
    for (const pk of keys) await container.items.create({ id: 'kinds', pk, kind: String(typeof pk) });
    await container.items.create({ id: 'kinds', kind: 'absent' });
    for (const pk of keys) expect((await container.item('kinds', pk).read()).resource.kind).toBe(typeof pk);
    expect((await container.item('kinds', undefined).read()).resource.kind).toBe('absent');
  });

  it('addresses a hierarchical key by all of its levels', async () => {
    const paths = ['/tenant', '/user'];
    const container = await test.container('levels', {
      partitionKey: { paths, version: 2, kind: 'MultiHash' } as never,
    });
    await container.items.create({ id: '1', tenant: 't', user: 'u' });
    expect((await container.item('1', ['t', 'u']).read()).statusCode).toBe(200);
    expect((await container.item('1', ['t', 'v']).read()).statusCode).toBe(404);
  });

  it('refuses a document whose key is not that of the request', async () => {
    const container = await test.container('isolation');
    await container.items.create({ id: 'moves', pk: 'a' });
    const { code, substatus } = await refusal(container.item('moves', 'a').replace({ id: 'moves', pk: 'b' }));
    expect([code, substatus]).toEqual([400, 1001]);
  });
});

describe('conditions', () => {
  it('replaces, upserts and deletes only the version that If-Match names', async () => {
    const container = await test.container('etags');
    const first = await container.items.create({ id: 'x', pk: 'a', v: 1 });
    const second = await container.item('x', 'a').replace({ id: 'x', pk: 'a', v: 2 }, ifMatch(first.etag));
    expect(second.statusCode).toBe(200);
    expect(second.etag).not.toBe(first.etag);
    const late = { id: 'x', pk: 'a', v: 3 };
    expect((await refusal(container.item('x', 'a').replace(late, ifMatch(first.etag)))).code).toBe(412);
    expect((await refusal(container.items.upsert(late, ifMatch(first.etag)))).code).toBe(412);
    expect((await refusal(container.item('x', 'a').delete(ifMatch(first.etag)))).code).toBe(412);
    expect((await container.item('x', 'a').read()).resource.v).toBe(2);
    expect((await container.item('x', 'a').delete(ifMatch(second.etag))).statusCode).toBe(204);
  });

  it('answers 304 to a read of the version that the client has', async () => {
    const container = await test.container('etags');
    const { etag } = await container.items.create({ id: 'cached', pk: 'a' });
    const options = { accessCondition: { type: 'IfNoneMatch', condition: etag } };
    expect((await container.item('cached', 'a').read(options)).statusCode).toBe(304);
    await container.item('cached', 'a').patch([{ op: 'set', path: '/v', value: 1 }]);
    expect((await container.item('cached', 'a').read(options)).statusCode).toBe(200);
  });

  it('gives an item created anew another etag and another rid', async () => {
    const container = await test.container('etags');
    const before = await container.items.create({ id: 'again', pk: 'a' });
    await container.item('again', 'a').delete();
    const after = await container.items.create({ id: 'again', pk: 'a' });
    expect(after.etag).not.toBe(before.etag);
    expect(after.resource?._rid).not.toBe(before.resource?._rid);
  });
});

describe('writes', () => {
  it('refuses a second create with 409 and says 201 or 200 for an upsert', async () => {
    const container = await test.container('writes');
    expect((await container.items.upsert({ id: 'x', pk: 'a' })).statusCode).toBe(201);
    expect((await refusal(container.items.create({ id: 'x', pk: 'a' }))).code).toBe(409);
    expect((await container.items.upsert({ id: 'x', pk: 'a', v: 2 })).statusCode).toBe(200);
  });

  it('returns content as it was sent, own properties of the service made anew', async () => {
    const container = await test.container('writes');
    const content = { text: 'ä€😀 "\\', list: [1, null, { a: [] }], deep: { x: 1.5e-7 }, empty: '' };
    const { resource } = await container.items.create({ id: 'ünï ~x', pk: 'a', _ts: 1, _etag: 'mine', content });
    expect(resource?.content).toEqual(content);
    const read = await container.item('ünï ~x', 'a').read();
    expect(read.resource).toEqual(resource);
    expect(read.resource._etag).not.toBe('mine');
    expect(Math.abs(read.resource._ts * 1_000 - Date.now())).toBeLessThan(60_000);
  });

  it('refuses what is over a limit of the service', async () => {
    const container = await test.container('limits');
    const fill = 'x'.repeat(2 * 1024 * 1024);
    expect((await refusal(container.items.create({ id: 'big', pk: 'a', fill }))).code).toBe(413);
    expect((await container.items.create({ id: 'fits', pk: 'a', fill: fill.slice(100) })).statusCode).toBe(201);
    expect((await refusal(container.items.create({ id: 'i'.repeat(1_024), pk: 'a' }))).code).toBe(400);
    expect((await container.items.create({ id: 'i'.repeat(1_023), pk: 'a' })).statusCode).toBe(201);
    expect((await refusal(container.items.create({ id: 'k', pk: 'p'.repeat(2_049) }))).code).toBe(400);
    expect((await container.items.create({ id: 'k', pk: 'p'.repeat(2_048) })).statusCode).toBe(201);
    expect((await container.item('big', 'a').read()).statusCode).toBe(404);
  });

  it('charges reads and writes by size', async () => {
    const container = await test.container('charge');
    const priced = async (kb: number): Promise<readonly number[]> => {
      const fill = 'x'.repeat(kb * 1024 - 60);
      const { requestCharge } = await container.items.upsert({ id: 'x', pk: 'a', fill });
      return [(await container.item('x', 'a').read()).requestCharge, requestCharge];
    };
    expect(await priced(1)).toEqual([1, 4.95]);
    const [read4, write4] = await priced(4);
    expect(read4).toBeCloseTo(1.14, 1);
    expect(write4).toBeCloseTo(6.67, 1);
    const [read64, write64] = await priced(64);
    expect(read64).toBeCloseTo(4.76, 0);
    expect(write64).toBeCloseTo(22.67, 0);
  });
});

describe('databases and containers', () => {
  it('reads back what a container was created with', async () => {
    const container = await test.container('described', { defaultTtl: 60 });
    const { resource } = await container.read();
    expect(resource?.defaultTtl).toBe(60);
    expect(resource?.partitionKey).toEqual({ paths: ['/pk'], kind: 'Hash', version: 2 });
    expect(resource?.indexingPolicy?.includedPaths).toEqual([{ path: '/s/?' }]);
  });

  it('lists and deletes, and a container created anew is empty', async () => {
    const { database } = await test.client.databases.createIfNotExists({ id: 'short-lived' });
    const definition = { id: 'c', partitionKey: { paths: ['/pk'] } };
    const { container } = await database.containers.create(definition);
    await container.items.create({ id: 'x', pk: 'a' });
    expect((await refusal(database.containers.create(definition))).code).toBe(409);
    await container.delete();
    expect((await database.containers.readAll().fetchAll()).resources).toEqual([]);
    await database.containers.create(definition);
    expect((await database.container('c').item('x', 'a').read()).statusCode).toBe(404);
    await database.delete();
    const left = await test.client.databases.readAll().fetchAll();
    expect(left.resources.map(({ id }) => id)).not.toContain('short-lived');
  });

  it('refuses a definition that it would not honour', async () => {
    const { database } = await test.client.databases.createIfNotExists({ id: 'test' });
    const computed = { computedProperties: [{ name: 'lower', query: 'SELECT VALUE LOWER(c.name) FROM c' }] };
    const definition = { id: 'computed', partitionKey: { paths: ['/pk'] }, ...computed };
    expect((await refusal(database.containers.create(definition))).code).toBe(400);
  });
});

function ifMatch(etag: string) {
  return { accessCondition: { type: 'IfMatch', condition: etag } };
}
