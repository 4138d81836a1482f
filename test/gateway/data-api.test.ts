import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { edgeType, exampleItems, makeKey } from '#test/gateway/fixtures/definitions.ts';
import { caller } from '#test/gateway/fixtures/gateway.ts';
import { type Stack, startStack } from '#test/gateway/fixtures/stack.ts';

const key = makeKey('chat-api');
const M = '/objects/Message';
const C = '/objects/Conversation';
let stack: Stack;
let call: ReturnType<typeof caller>;

beforeAll(async () => {
  const items = exampleItems(key);
  items.edgeType.push(edgeType('pins', 'Conversation', 'Message', { listCap: 3 }));
  stack = await startStack(items);
  call = caller(stack.gateway.url, key.token);
});
afterAll(() => stack?.stop());

describe('objects', () => {
  test('content comes back byte for byte with its content type and version', async () => {
    const body = '{ "a" : 1,\n"a": 2 }';
    const put = await call('PUT', `${M}/m1`, { body, headers: { 'content-type': 'application/json' } });
    expect(put.status).toBe(201);
    expect(put.body).toEqual({ id: 'm1', version: expect.any(String), created: true });
    const got = await call('GET', `${M}/m1`);
    expect(got.text).toBe(body);
    expect(got.headers.get('content-type')).toBe('application/json');
    expect(got.headers.get('etag')).toBe(`"${put.body.version}"`);
    expect(got.headers.get('habitat-release')).toBe('r1');
    expect(got.headers.get('habitat-served-from')).toBe('Local');
    expect(Number(got.headers.get('habitat-ru'))).toBeGreaterThanOrEqual(1);
    expect(got.headers.get('server-timing')).toMatch(/auth;dur=.*policy;dur=.*store;dur=/);
    expect(Number(got.headers.get('ratelimit-remaining'))).toBeLessThan(10_000);
  });

  test('an unchanged object answers 304 without content', async () => {
    const put = await call('PUT', `${M}/m304`, { body: 'x' });
    const etag = put.headers.get('etag') ?? '';
    const same = await call('GET', `${M}/m304`, { headers: { 'if-none-match': `"zzz", ${etag}` } });
    expect([same.status, same.text]).toEqual([304, '']);
    await call('PUT', `${M}/m304`, { body: 'y' });
    const changed = await call('GET', `${M}/m304`, { headers: { 'if-none-match': etag } });
    expect([changed.status, changed.text]).toEqual([200, 'y']);
  });

  test('preconditions hold: a version that moved on, an object that exists', async () => {
    const put = await call('PUT', `${M}/cond`, { body: '1' });
    const etag = put.headers.get('etag') ?? '';
    expect((await call('PUT', `${M}/cond`, { body: '2', headers: { 'if-match': etag } })).status).toBe(200);
    expect((await call('PUT', `${M}/cond`, { body: '3', headers: { 'if-match': etag } })).code).toBe(
      'version_conflict',
    );
    const again = await call('PUT', `${M}/cond`, { body: '4', headers: { 'if-none-match': '*' } });
    expect(again.code).toBe('already_exists');
    const stale = await call('DELETE', `${M}/cond`, { headers: { 'if-match': etag } });
    expect(stale.code).toBe('version_conflict');
    expect((await call('GET', `${M}/cond`)).text).toBe('2');
  });

  test('deleting is idempotent, and what is gone is not found', async () => {
    await call('PUT', `${M}/gone`, { body: 'x' });
    expect((await call('DELETE', `${M}/gone`)).body).toEqual({ id: 'gone', deleted: true });
    expect((await call('DELETE', `${M}/gone`)).body).toEqual({ id: 'gone', deleted: false });
    const got = await call('GET', `${M}/gone`);
    expect([got.status, got.code]).toEqual([404, 'object_not_found']);
  });

  test.each(['a/b', 'a%2Fb', 'ü ñ', '%', 'x:count', '+', '?q#f', '...', '日本'])(
    'the id %j round-trips',
    async (id) => {
      const path = `${M}/${encodeURIComponent(id)}`;
      const put = await call('PUT', path, { body: `content of ${id}` });
      expect(put.body?.id).toBe(id);
      expect((await call('GET', path)).text).toBe(`content of ${id}`);
    },
  );

  test('an object without an id gets one: a new one each time, the same for the same key', async () => {
    const fresh = [await call('POST', M, { body: 'a' }), await call('POST', M, { body: 'a' })];
    expect(fresh.map(({ status }) => status)).toEqual([201, 201]);
    expect(fresh[0]?.body.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(fresh[0]?.body.id).not.toBe(fresh[1]?.body.id);

    const headers = { 'idempotency-key': 'create-1' };
    const tries = await Promise.all([1, 2, 3].map(() => call('POST', M, { body: 'once', headers })));
    expect(new Set(tries.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    const [{ body }] = tries as [(typeof tries)[0]];
    expect(body.id).toMatch(/^[a-z2-7]{26}$/);
    expect((await call('GET', `${M}/${body.id}`)).text).toBe('once');
    expect((await call('POST', M, { body: 'other', headers })).code).toBe('idempotency_conflict');
    const elsewhere = await call('POST', C, { body: 'once', headers });
    expect([elsewhere.status, elsewhere.body.id === body.id]).toEqual([201, false]);
    expect((await call('POST', M, { body: 'x', headers: { 'if-none-match': '*' } })).code).toBe('malformed_request');
  });

  test('T13: a write repeated with its key returns the stored outcome; another body is refused', async () => {
    const headers = { 'idempotency-key': 'once-1' };
    const first = await call('PUT', `${M}/idem`, { body: 'a', headers });
    await call('PUT', `${M}/idem`, { body: 'b' });
    const repeated = await call('PUT', `${M}/idem`, { body: 'a', headers });
    expect(repeated.body).toEqual(first.body);
    expect((await call('GET', `${M}/idem`)).text).toBe('b');
    const other = await call('PUT', `${M}/idem`, { body: 'c', headers });
    expect([other.status, other.code]).toEqual([409, 'idempotency_conflict']);
  });

  test('a session that the gateway gave is taken back, a forged one is refused', async () => {
    const put = await call('PUT', `${M}/sess`, { body: 'x' });
    const session = put.headers.get('habitat-session');
    expect(session).toBeTruthy();
    const headers = { 'habitat-session': session ?? '' };
    expect((await call('GET', `${M}/sess`, { headers })).text).toBe('x');
    const forged = { 'habitat-session': `${session?.slice(0, -4)}AAAA` };
    expect((await call('GET', `${M}/sess`, { headers: forged })).code).toBe('malformed_request');
  });
});

describe('edges', () => {
  test('put, get, count, list newest first, delete; the inverse shows the same edge', async () => {
    const base = `${C}/c1/edges/messages`;
    for (const [id, time] of [
      ['a', 1_000],
      ['b', 3_000],
      ['c', 2_000],
    ] as const) {
      const put = await call('PUT', `${base}/${id}`, { body: JSON.stringify({ time, data: `d-${id}` }) });
      expect([put.status, put.body.created]).toEqual([201, true]);
    }
    const list = await call('GET', base);
    expect(list.body.edges.map((edge: { toId: string }) => edge.toId)).toEqual(['b', 'c', 'a']);
    expect(list.body.cursor).toBeUndefined();
    expect((await call('GET', `${base}:count`)).body).toEqual({ count: 3 });
    expect((await call('GET', `${base}/b`)).body).toMatchObject({ toId: 'b', time: 3_000, data: 'd-b' });
    const inverse = await call('GET', `${M}/b/edges/inConversation/c1`);
    expect(inverse.body).toMatchObject({ toId: 'c1', time: 3_000 });
    expect((await call('DELETE', `${base}/b`)).body).toEqual({ toId: 'b', deleted: true });
    expect((await call('DELETE', `${base}/b`)).body).toEqual({ toId: 'b', deleted: false });
    expect((await call('GET', `${base}/b`)).code).toBe('edge_not_found');
    expect((await call('GET', `${base}:count`)).body).toEqual({ count: 2 });
  });

  test('T5: several ids at once honour the ids and the inclusive bounds', async () => {
    const base = `${C}/c5/edges/messages`;
    for (const time of [1, 2, 3, 4]) await call('PUT', `${base}/m${time}`, { body: JSON.stringify({ time }) });
    const got = await call('GET', `${base}?id=m4&id=m1&id=m3&id=none&after=1&before=3`);
    expect(got.body.edges.map((edge: { toId: string }) => edge.toId)).toEqual(['m1', 'm3']);
  });

  test('T7: a limit above the cap is clamped and says so, on each page of a walk', async () => {
    const base = `${C}/c7/edges/pins`;
    for (let index = 0; index < 8; index++) await call('PUT', `${base}/m${index}`, { body: '{"time":5}' });
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const query = cursor === undefined ? 'limit=100' : `limit=100&cursor=${cursor}`;
      const page = await call('GET', `${base}?${query}`);
      expect(page.body.limitClamped).toBe(true);
      expect(page.body.edges.length).toBeLessThanOrEqual(3);
      seen.push(...page.body.edges.map((edge: { toId: string }) => edge.toId));
      cursor = page.body.cursor;
      if (cursor !== undefined) expect(cursor.length).toBeLessThan(200);
    } while (cursor !== undefined);
    expect(seen.toSorted()).toEqual(Array.from({ length: 8 }, (_, index) => `m${index}`));
    expect((await call('GET', `${base}?limit=2`)).body.limitClamped).toBeUndefined();
  });

  test('a position gives one page, pays for what it passes over, and goes without a cursor', async () => {
    const base = `${C}/positions/edges/pins`;
    for (let index = 0; index < 6; index++) {
      await call('PUT', `${base}/m${index}`, { body: JSON.stringify({ time: index }) });
    }
    const targets = async (query: string) => {
      const { body } = await call('GET', `${base}?${query}`);
      return [body.edges.map(({ toId }: { toId: string }) => toId), body.more === true, body.cursor !== undefined];
    };
    expect(await targets('pos=1&limit=2')).toEqual([['m4', 'm3'], true, false]);
    expect(await targets('pos=4&limit=2')).toEqual([['m1', 'm0'], false, false]);
    expect(await targets('pos=0&limit=3&before=4')).toEqual([['m4', 'm3', 'm2'], true, false]);
    expect(await targets('pos=6&limit=2')).toEqual([[], false, false]);
    const ru = async (query: string) => Number((await call('GET', `${base}?${query}`)).headers.get('habitat-ru'));
    expect(await ru('pos=5&limit=1')).toBeGreaterThan(await ru('pos=0&limit=1'));
    const { cursor } = (await call('GET', `${base}?limit=2`)).body;
    for (const query of ['pos=1001', 'pos=-1', 'pos=1.5', `pos=0&cursor=${cursor}`]) {
      expect((await call('GET', `${base}?${query}`)).code).toBe('malformed_request');
    }
  });

  test('a cursor is bound to its list and cannot be made up', async () => {
    const base = `${C}/c7/edges/pins`;
    const { cursor } = (await call('GET', `${base}?limit=2`)).body;
    expect((await call('GET', `${base}?limit=2&cursor=${cursor}`)).status).toBe(200);
    expect((await call('GET', `${C}/other/edges/pins?cursor=${cursor}`)).code).toBe('invalid_cursor');
    expect((await call('GET', `${base}?cursor=${cursor}&after=1`)).code).toBe('invalid_cursor');
    expect((await call('GET', `${base}?cursor=${cursor.slice(0, -2)}xx`)).code).toBe('invalid_cursor');
  });

  test('T15: an edge whose ends do not fit is refused, and names the ends', async () => {
    const wrong = await call('PUT', `${M}/m1/edges/messages/m2`, { body: '{}' });
    expect([wrong.status, wrong.code]).toEqual([422, 'edge_type_mismatch']);
    expect(wrong.error?.message).toBe('messages goes from Conversation to Message; it cannot start at Message.');
  });

  test('an object is deleted with its edges', async () => {
    await call('PUT', `${C}/full`, { body: 'x' });
    await call('PUT', `${C}/full/edges/messages/m`, { body: '{}' });
    const gone = await call('DELETE', `${C}/full`);
    expect([gone.status, gone.body]).toEqual([200, { id: 'full', deleted: true }]);
    expect((await call('GET', `${C}/full`)).code).toBe('object_not_found');
    expect((await call('GET', `${C}/full/edges/messages:count`)).body).toEqual({ count: 0 });
    expect((await call('GET', `${C}/full/edges/messages`)).body).toEqual({ edges: [] });
    expect((await call('GET', `/objects/Message/m/edges/inConversation`)).body).toEqual({ edges: [] });
    const again = await call('DELETE', `${C}/full`);
    expect(again.body).toEqual({ id: 'full', deleted: false });
  });
});
