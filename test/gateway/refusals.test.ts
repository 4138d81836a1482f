import { connect } from 'node:net';
import { ReadableStream } from 'node:stream/web';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { triedName } from '#components/requests/request-words.ts';
import { edgeType, exampleItems, makeKey, objectType, principal, tenant } from '#test/gateway/fixtures/definitions.ts';
import { eventually } from '#test/gateway/fixtures/eventually.ts';
import { caller } from '#test/gateway/fixtures/gateway.ts';
import { type Stack, startStack } from '#test/gateway/fixtures/stack.ts';

const key = makeKey('chat-api');
const M = '/objects/Message';
const C = '/objects/Conversation';
let stack: Stack;
let call: ReturnType<typeof caller>;

beforeAll(async () => {
  const items = exampleItems(key);
  items.objectType.push(objectType('Secret', { classification: 'restricted' }), objectType('Tiny', { maxBytes: 10 }));
  items.edgeType.push(edgeType('pins', 'Conversation', 'Message', { dataMaxBytes: 8 }));
  items.tenant.push(tenant('other'));
  items.principal.push(principal('other-api', { tenant: 'other' }));
  stack = await startStack(items);
  call = caller(stack.gateway.url, key.token);
});
afterAll(() => stack?.stop());

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
  ['GET', '/batch', 'unsupported_operation'],
  ['POST', `${C}/c1:commit`, 'malformed_request'],
  ['PATCH', `${M}/m1`, 'unsupported_operation'],
  ['GET', '/objects/Secret/1', 'forbidden'],
])('%s %s is %s', async (method, path, code) => {
  const refused = await call(method, path);
  expect(refused.code).toBe(code);
  expect(refused.error?.help).toBe(
    `${stack.console.url}/requests/${refused.error?.requestId}?code=${refused.error?.code}`,
  );
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
    (await (await fetch(`${stack.gateway.url}/v1/${path}`, { headers })).json()).error.code;
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

test.each([
  ['/objects/Mesage/1', 'Mesage'],
  [`${C}/c/edges/mesages`, 'mesages'],
  [`/objects/${'x'.repeat(48)}/1`, 'x'.repeat(48)],
])('%s: the name that was asked for can be read from the answer', async (path, name) => {
  const { error } = await call('GET', path);
  expect(triedName({ code: error?.code ?? null, message: error?.message ?? null })).toBe(name);
});

test('of a caller that is not let in, the record keeps the key it named and nobody', async () => {
  const stranger = makeKey('chat-api');
  const refused = await call('GET', `${M}/m1`, { headers: { authorization: `Bearer ${stranger.token}` } });
  const kept = () =>
    stack.console.shipments.flatMap(({ requests }) => requests).find(({ id }) => id === refused.error?.requestId);
  await eventually('the record is shipped', () => kept() !== undefined);
  expect(kept()).toMatchObject({ keyId: stranger.item.id, principal: null, tenant: 'chat' });
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
  const response = await fetch(`${stack.gateway.url}/v1/chat${M}/m1`, init);
  expect((await response.json()).error.code).toBe('malformed_request');
});

test('a body that does not come within the deadline is refused, and nothing is written', async () => {
  const { hostname, port } = new URL(stack.gateway.url);
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

/** The head of a put whose body is far beyond every limit. */
function tooLong(bytes: number): string {
  return `PUT /v1/chat${M}/long HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key.token}\r\nContent-Length: ${bytes}\r\n\r\n`;
}

test('a caller that reads only after it has sent all gets its refusal, and its connection serves the next request', async () => {
  const { hostname, port } = new URL(stack.gateway.url);
  const socket = connect(Number(port), hostname).pause();
  const megabyte = Buffer.alloc(1_000_000, 'x');
  socket.write(tooLong(20 * megabyte.length));
  for (let sent = 0; sent < 20; sent += 1) {
    await new Promise<void>((done, fail) => socket.write(megabyte, (error) => (error ? fail(error) : done())));
  }
  socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
  let text = '';
  socket.on('data', (bytes) => {
    text += bytes.toString('utf8');
  });
  socket.resume();
  await expect.poll(() => text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 200']);
  expect(text).toContain('"code":"request_too_large"');
  socket.destroy();
});

test('a caller that goes on sending what was refused is cut off', async () => {
  const { hostname, port } = new URL(stack.gateway.url);
  const socket = connect(Number(port), hostname);
  let isClosed = false;
  socket
    .on('error', () => {})
    .on('close', () => {
      isClosed = true;
    });
  socket.resume().write(tooLong(9_000_000_000));
  const sending = setInterval(() => socket.write('more'), 50);
  await expect.poll(() => isClosed, { timeout: 20_000 }).toBe(true);
  clearInterval(sending);
});
