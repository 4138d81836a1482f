import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refusal } from '#test/gateway/emulator/with-emulator.ts';
import { openTarget, type Target } from './target.ts';

let target: Target;
beforeAll(async () => {
  target = await openTarget();
});
afterAll(() => target.close());

describe('partitions', () => {
  it('keeps two items of the same id in two partitions apart', async () => {
    const container = await target.container('isolation');
    await container.items.create({ id: 'x', pk: 'a', from: 'a' });
    await container.items.create({ id: 'x', pk: 'b', from: 'b' });
    expect((await container.item('x', 'a').read()).resource.from).toBe('a');
    expect((await container.item('x', 'b').read()).resource.from).toBe('b');
    await container.item('x', 'a').delete();
    expect((await container.item('x', 'a').read()).statusCode).toBe(404);
    expect((await container.item('x', 'b').read()).statusCode).toBe(200);
  });

  it('finds nothing of another partition by read, replace, patch, delete or query', async () => {
    const container = await target.container('isolation');
    await container.items.create({ id: 'only-a', pk: 'a', s: '1' });
    expect((await container.item('only-a', 'b').read()).statusCode).toBe(404);
    expect((await refusal(container.item('only-a', 'b').delete())).code).toBe(404);
    expect((await refusal(container.item('only-a', 'b').replace({ id: 'only-a', pk: 'b' }))).code).toBe(404);
    expect((await refusal(container.item('only-a', 'b').patch([{ op: 'set', path: '/v', value: 1 }]))).code).toBe(404);
    const found = await container.items.query('SELECT * FROM c WHERE c.s = "1"', { partitionKey: 'b' }).fetchAll();
    expect(found.resources).toEqual([]);
  });

  it('tells string, number, boolean, null and absent keys apart', async () => {
    const container = await target.container('isolation');
    const keys = ['1', 1, true, null] as const;
    for (const pk of keys) await container.items.create({ id: 'kinds', pk, kind: String(typeof pk) });
    await container.items.create({ id: 'kinds', kind: 'absent' });
    for (const pk of keys) expect((await container.item('kinds', pk).read()).resource.kind).toBe(typeof pk);
    expect((await container.item('kinds', undefined).read()).resource.kind).toBe('absent');
  });

  it('refuses a document whose key is not that of the request', async () => {
    const container = await target.container('isolation');
    await container.items.create({ id: 'moves', pk: 'a' });
    const { code, substatus } = await refusal(container.item('moves', 'a').replace({ id: 'moves', pk: 'b' }));
    expect([code, substatus]).toEqual([400, 1001]);
    expect((await container.item('moves', 'b').read()).statusCode).toBe(404);
  });
});

describe('conditions', () => {
  it('replaces, upserts and deletes only the version that If-Match names', async () => {
    const container = await target.container('etags');
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
    const container = await target.container('etags');
    const { etag } = await container.items.create({ id: 'cached', pk: 'a' });
    const options = { accessCondition: { type: 'IfNoneMatch', condition: etag } };
    expect((await container.item('cached', 'a').read(options)).statusCode).toBe(304);
    await container.item('cached', 'a').patch([{ op: 'set', path: '/v', value: 1 }]);
    expect((await container.item('cached', 'a').read(options)).statusCode).toBe(200);
  });

  it('gives an item created anew another etag and another rid', async () => {
    const container = await target.container('etags');
    const before = await container.items.create({ id: 'again', pk: 'a' });
    await container.item('again', 'a').delete();
    const after = await container.items.create({ id: 'again', pk: 'a' });
    expect(after.etag).not.toBe(before.etag);
    expect(after.resource?._rid).not.toBe(before.resource?._rid);
  });
});

describe('writes', () => {
  it('refuses a second create with 409 and says 201 or 200 for an upsert', async () => {
    const container = await target.container('writes');
    expect((await container.items.upsert({ id: 'x', pk: 'a' })).statusCode).toBe(201);
    expect((await refusal(container.items.create({ id: 'x', pk: 'a' }))).code).toBe(409);
    expect((await container.items.upsert({ id: 'x', pk: 'a', v: 2 })).statusCode).toBe(200);
  });

  it('returns content as it was sent, own properties of the service made anew', async () => {
    const container = await target.container('writes');
    const content = { text: 'ä€😀 "\\', list: [1, null, { a: [] }], deep: { x: 1.5e-7 }, empty: '' };
    const { resource } = await container.items.create({ id: 'ünï ~x', pk: 'a', _ts: 1, _etag: 'mine', content });
    expect(resource?.content).toEqual(content);
    const read = await container.item('ünï ~x', 'a').read();
    expect(read.resource).toEqual(resource);
    expect(read.resource._etag).not.toBe('mine');
    expect(Math.abs(read.resource._ts * 1_000 - Date.now())).toBeLessThan(60_000);
  });

  it.each(['a/b', 'a\\b', 'a#b', ''])('refuses the id %j', async (id) => {
    const container = await target.container('writes');
    const created = container.items.create({ id, pk: 'a' }, { disableAutomaticIdGeneration: true });
    await expect(created).rejects.toBeDefined();
  });

  it.each(['ä€😀', 'a b', "it's", '100%', '%2F', '~.-_', '日本'])('finds the id %j again', async (id) => {
    const container = await target.container('writes');
    await container.items.create({ id, pk: 'ids', v: 1 });
    expect((await container.item(id, 'ids').read()).resource?.id).toBe(id);
    expect((await container.item(id, 'ids').replace({ id, pk: 'ids', v: 2 })).statusCode).toBe(200);
    expect((await container.item(id, 'ids').delete()).statusCode).toBe(204);
  });

  it('keeps numbers, null and deep values as JSON means them', async () => {
    const container = await target.container('writes');
    const deep = JSON.parse(`${'['.repeat(100)}${']'.repeat(100)}`);
    const numbers = [0, -1.5, 1e21, 9007199254740991, 5e-324, 1.7976931348623157e308];
    await container.items.create({ id: 'kinds', pk: 'a', numbers, nothing: null, deep });
    const { resource } = await container.item('kinds', 'a').read();
    expect(resource).toMatchObject({ numbers, nothing: null, deep });
  });
});

function ifMatch(etag: string) {
  return { accessCondition: { type: 'IfMatch', condition: etag } };
}
