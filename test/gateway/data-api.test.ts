import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ReadableStream } from 'node:stream/web';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningEmulator, startEmulator } from '#gateway/emulator/start.ts';
import { startConsole, type TestConsole } from '#test/gateway/fixtures/console.ts';
import { edgeType, exampleItems, makeKey, objectType, principal, tenant } from '#test/gateway/fixtures/definitions.ts';
import { eventually } from '#test/gateway/fixtures/eventually.ts';
import { caller, type GatewayHome, makeGatewayHome, type TestGateway } from '#test/gateway/fixtures/gateway.ts';

const key = makeKey('chat-api');
const strangerKey = makeKey('other-api');
let cosmosDir: string;
let cosmos: RunningEmulator;
let console_: TestConsole;
let home: GatewayHome;
let gateway: TestGateway;
let call: ReturnType<typeof caller>;

beforeAll(async () => {
  cosmosDir = mkdtempSync(join(tmpdir(), 'habitat-cosmos-'));
  cosmos = await startEmulator({ port: 0, dir: cosmosDir });
  console_ = await startConsole();
  const items = exampleItems(key);
  items.objectType.push(objectType('Secret', { classification: 'restricted' }), objectType('Tiny', { maxBytes: 10 }));
  items.edgeType.push(edgeType('pins', 'Conversation', 'Message', { listCap: 3, dataMaxBytes: 8 }));
  items.tenant.push(tenant('other'));
  items.principal.push(principal('other-api', { tenant: 'other' }));
  items.key.push(strangerKey.item);
  await console_.publish(items);
  home = makeGatewayHome(console_, cosmos);
  gateway = await home.start();
  call = caller(gateway.url, key.token);
  await eventually('release 1 is live', () => console_.acks.some(({ result }) => result.state === 'live'));
});

afterAll(async () => {
  await home?.remove();
  await console_?.close();
  await cosmos?.close();
  rmSync(cosmosDir, { recursive: true, force: true });
});

const M = '/objects/Message';
const C = '/objects/Conversation';

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

  test('T6 and T7: a walk by cursor sees each edge once; a limit above the cap is clamped and says so', async () => {
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

  test('an object with edges is not deleted', async () => {
    await call('PUT', `${C}/full`, { body: 'x' });
    await call('PUT', `${C}/full/edges/messages/m`, { body: '{}' });
    const refused = await call('DELETE', `${C}/full`);
    expect([refused.status, refused.code]).toEqual([409, 'object_has_edges']);
  });
});

describe('refusals', () => {
  test.each([
    ['GET', '/objects/Ghost/1', 'unknown_type'],
    ['GET', `${C}/c/edges/ghosts`, 'unknown_edge_type'],
    ['GET', `${M}/m1?verbose=1`, 'malformed_request'],
    ['GET', `${C}/c/edges/messages?limit=0`, 'malformed_request'],
    ['GET', `${C}/c/edges/messages?limit=10001`, 'malformed_request'],
    ['GET', `${C}/c/edges/messages?limit=1&limit=2`, 'malformed_request'],
    ['GET', `${M}/%FF`, 'malformed_request'],
    ['GET', `${M}/${'x'.repeat(256)}`, 'malformed_request'],
    ['GET', `${C}/c/edges/messages/m/edges/inConversation`, 'unsupported_operation'],
    ['GET', M, 'unsupported_operation'],
    ['POST', '/query', 'unsupported_operation'],
    ['POST', '/batch', 'unsupported_operation'],
    ['POST', `${C}/c1:commit`, 'unsupported_operation'],
    ['PATCH', `${M}/m1`, 'unsupported_operation'],
    ['GET', '/objects/Secret/1', 'forbidden'],
  ])('%s %s is %s', async (method, path, code) => {
    const refused = await call(method, path);
    expect(refused.code).toBe(code);
    expect(refused.error?.help).toBe(`${console_.url}/requests/${refused.error?.requestId}`);
    expect(refused.headers.get('habitat-request-id')).toBe(refused.error?.requestId);
    expect(refused.headers.get('habitat-ru')).toBe('0');
  });

  test('what nothing permits says what would be needed', async () => {
    const { error } = await call('GET', '/objects/Secret/1');
    expect(error?.details?.needed).toEqual({
      principal: 'Service::"chat-api"',
      action: 'Action::"object.read"',
      resource: 'ObjectType::"Secret"',
      tenant: 'chat',
    });
  });

  test('another tenant is closed, and an unregistered one unknown', async () => {
    const headers = { authorization: `Bearer ${key.token}` };
    const code = async (path: string) =>
      (await (await fetch(`${gateway.url}/v1/${path}`, { headers })).json()).error.code;
    expect(await code('other/objects/Message/1')).toBe('forbidden');
    expect(await code('ghost/objects/Message/1')).toBe('unknown_tenant');
  });

  test.each([
    ['no key', ''],
    ['no Habitat key', 'Bearer abc'],
    ['an unknown key', `Bearer ${makeKey('chat-api').token}`],
    ['a wrong secret', `Bearer ${key.token.slice(0, -6)}AAAAAA`],
  ])('%s is unauthenticated', async (_, authorization) => {
    const refused = await call('GET', `${M}/m1`, { headers: { authorization } });
    expect([refused.status, refused.code]).toEqual([401, 'unauthenticated']);
  });

  test('sizes are refused before the store is asked', async () => {
    const tiny = await call('PUT', '/objects/Tiny/1', { body: 'x'.repeat(11) });
    expect([tiny.status, tiny.code]).toEqual([413, 'content_too_large']);
    const huge = await call('PUT', `${M}/huge`, { body: 'x'.repeat(1_400_001) });
    expect([huge.status, huge.code]).toEqual([413, 'request_too_large']);
    const data = await call('PUT', `${C}/c1/edges/pins/m`, { body: JSON.stringify({ data: 'äöüßé' }) });
    expect([data.status, data.code]).toEqual([413, 'content_too_large']);
  });

  test.each(['{"time":-1}', '{"time":1.5}', '{"extra":1}', '{"data":1,"data":"x"}', '{"__proto__":1}', '[', '\uD800'])(
    'the edge body %j is malformed',
    async (body) => {
      expect((await call('PUT', `${C}/c1/edges/messages/m`, { body })).code).toBe('malformed_request');
    },
  );

  test.each([
    ['habitat-deadline-ms', '0'],
    ['habitat-deadline-ms', '30001'],
    ['habitat-consistency', 'strong'],
    ['idempotency-key', 'x'.repeat(129)],
    ['if-match', '*'],
    ['if-none-match', '"abc"'],
  ])('the header %s: %s is malformed', async (name, value) => {
    expect((await call('PUT', `${M}/m1`, { body: 'x', headers: { [name]: value } })).code).toBe('malformed_request');
  });

  test('a body without a length is refused', async () => {
    const body = ReadableStream.from([Buffer.from('x')]);
    const init = {
      method: 'PUT',
      body,
      duplex: 'half',
      headers: { authorization: `Bearer ${key.token}` },
    } as unknown as RequestInit;
    const response = await fetch(`${gateway.url}/v1/chat${M}/m1`, init);
    expect((await response.json()).error.code).toBe('malformed_request');
  });

  test('a body that does not come within the deadline is refused, and nothing is written', async () => {
    const { hostname, port } = new URL(gateway.url);
    const socket = connect(Number(port), hostname);
    socket.write(
      `PUT /v1/chat${M}/slow HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key.token}\r\n` +
        'Habitat-Deadline-Ms: 50\r\nContent-Length: 5\r\n\r\nab',
    );
    const reply = await new Promise<string>((done) => socket.once('data', (bytes) => done(bytes.toString('utf8'))));
    socket.destroy();
    expect(reply).toMatch(/^HTTP\/1\.1 504 /);
    expect(reply).toContain('"code":"deadline_exceeded"');
    expect((await call('GET', `${M}/slow`)).code).toBe('object_not_found');
  });
});
