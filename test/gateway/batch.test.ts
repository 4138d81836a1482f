import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { BatchResults } from '#gateway/contract/data-api.ts';
import { edgeType, exampleItems, makeKey, objectType, tenant } from '#test/gateway/fixtures/definitions.ts';
import { caller } from '#test/gateway/fixtures/gateway.ts';
import { type Stack, startStack } from '#test/gateway/fixtures/stack.ts';

const key = makeKey('chat-api');
let stack: Stack;
let call: ReturnType<typeof caller>;

beforeAll(async () => {
  const items = exampleItems(key);
  items.objectType.push(
    objectType('Secret', { classification: 'restricted' }),
    objectType('Big', { maxBytes: 1_400_000 }),
  );
  items.edgeType.push(edgeType('pins', 'Conversation', 'Message'));
  items.tenant.push(tenant('other'));
  stack = await startStack(items);
  call = caller(stack.gateway.url, key.token);
});
afterAll(() => stack?.stop());

async function batch(operations: readonly unknown[], headers: Record<string, string> = {}) {
  const reply = await call('POST', '/batch', { body: JSON.stringify({ operations }), headers });
  expect(reply.status, reply.text).toBe(200);
  return BatchResults.parse(reply.body).results;
}

const M = { type: 'Message' };
const C = { type: 'Conversation', id: 'b1' };

test('every operation has its own outcome, in the order of the request', async () => {
  const results = await batch([
    { op: 'object.put', ...M, id: 'b-1', text: 'hello' },
    { op: 'object.get', ...M, id: 'b-1' },
    { op: 'object.get', ...M, id: 'nobody' },
    { op: 'object.get', type: 'Ghost', id: 'x' },
    { op: 'object.get', type: 'Secret', id: 'x' },
    { op: 'edge.put', ...C, edgeType: 'pins', toId: 'b-1', time: 5, data: 'note' },
    { op: 'edge.count', ...C, edgeType: 'pins' },
    { op: 'edge.list', ...C, edgeType: 'pins', limit: 10 },
    { op: 'edge.get', ...C, edgeType: 'pins', toIds: ['b-1', 'b-2'] },
    { op: 'edge.delete', ...C, edgeType: 'pins', toId: 'b-1' },
    { op: 'object.delete', ...M, id: 'b-1' },
    { op: 'object.fly', ...M, id: 'b-1' },
    { op: 'object.get', ...M, id: '..' },
    'nonsense',
  ]);
  const codes = results.map(({ status, error }) => (error as { code?: string } | undefined)?.code ?? status);
  expect(codes).toEqual([
    ...[201, 200, 'object_not_found', 'unknown_type', 'forbidden', 201, 200, 200, 200, 200, 200],
    ...['malformed_request', 'malformed_request', 'malformed_request'],
  ]);
  expect(results[1]).toMatchObject({ text: 'hello', contentType: 'text/plain; charset=utf-8' });
  expect(results[6]?.body).toEqual({ count: 1 });
  expect(results[7]?.body).toMatchObject({ edges: [{ toId: 'b-1', time: 5, data: 'note' }] });
  expect(results[8]?.body).toMatchObject({ edges: [{ toId: 'b-1' }] });
  expect(new Set(results.map(({ requestId }) => requestId)).size).toBe(results.length);
});

test('content is stored exactly as written in the request and comes back unchanged', async () => {
  const json = '{ "a" : [1, 2.50,\n "\\u00e9}" ] , "b":{"json":3}}';
  const bytes = Buffer.from([0, 255, 128, 34, 92]);
  const body = `{"operations":[
    {"op":"object.put","type":"Message","id":"j", "json" :  ${json} },
    {"json":null,"op":"object.put","type":"Message","id":"null"},
    {"op":"object.put","type":"Message","id":"bin","base64":"${bytes.toString('base64')}","contentType":"image/x"},
    {"op":"object.put","type":"Message","id":"two","json":1,"text":"x"},
    {"op":"object.put","type":"Message","id":"none"}]}`;
  const put = await call('POST', '/batch', { body });
  const written = BatchResults.parse(put.body).results;
  expect(written.map(({ status }) => status)).toEqual([201, 201, 201, 400, 400]);
  expect((await call('GET', '/objects/Message/j')).text).toBe(json);
  expect((await call('GET', '/objects/Message/null')).text).toBe('null');
  const [j, bin] = await batch([
    { op: 'object.get', ...M, id: 'j' },
    { op: 'object.get', ...M, id: 'bin' },
  ]);
  expect(j).toMatchObject({ text: json, contentType: 'application/json' });
  expect(bin).toMatchObject({ base64: bytes.toString('base64'), contentType: 'image/x' });
});

test('stored content cannot pass for the structure of a reply', async () => {
  const forged = '"},{"status":200,"requestId":"x","text":"forged"';
  await call('PUT', '/objects/Message/forged', { body: forged, headers: { 'content-type': 'application/json' } });
  const results = await batch([{ op: 'object.get', ...M, id: 'forged' }]);
  expect(results).toHaveLength(1);
  expect(results[0]?.text).toBe(forged);
});

test('operations on one object happen in order, whatever runs beside them', async () => {
  const operations = Array.from({ length: 50 }, (_, n) => [
    { op: 'object.put', ...M, id: `lane${n % 3}`, text: String(n) },
    { op: 'object.get', ...M, id: `lane${n % 3}` },
  ]).flat();
  const results = await batch(operations);
  const read = results.filter((_, index) => index % 2 === 1).map(({ text }) => text);
  expect(read).toEqual(Array.from({ length: 50 }, (_, n) => String(n)));
});

test('T13: a batch repeated with its key returns the stored outcomes; each operation has its own key', async () => {
  const headers = { 'idempotency-key': 'batch-1' };
  const operations = [
    { op: 'object.create', ...M, text: 'first' },
    { op: 'object.create', ...M, text: 'second' },
    { op: 'edge.put', ...C, edgeType: 'pins', toId: 'k', time: 1 },
  ];
  const first = await batch(operations, headers);
  const again = await batch(operations, headers);
  expect(again.map(({ body }) => body)).toEqual(first.map(({ body }) => body));
  const ids = first.slice(0, 2).map(({ body }) => (body as { id: string }).id);
  expect(new Set(ids).size).toBe(2);
  const [changed] = await batch([{ op: 'object.create', ...M, text: 'other' }], headers);
  expect(changed?.error).toMatchObject({ code: 'idempotency_conflict' });
});

test('preconditions hold in a batch', async () => {
  const [put] = await batch([{ op: 'object.put', ...M, id: 'cond', text: '1' }]);
  const version = z.object({ version: z.string() }).parse(put?.body).version;
  const results = await batch([
    { op: 'object.put', ...M, id: 'cond', text: '2', ifMatch: version },
    { op: 'object.put', ...M, id: 'cond', text: '3', ifMatch: version },
    { op: 'object.put', ...M, id: 'cond', text: '4', ifAbsent: true },
    { op: 'object.delete', ...M, id: 'cond', ifMatch: version },
    { op: 'object.get', ...M, id: 'cond' },
    { op: 'object.put', ...M, id: 'cond', text: '5', ifMatch: version, ifAbsent: true },
  ]);
  expect(results.map(({ status }) => status)).toEqual([200, 412, 412, 412, 200, 400]);
  const unchanged = await batch([{ op: 'object.get', ...M, id: 'cond', ifNoneMatch: [results[4]?.version] }]);
  expect(unchanged[0]).toEqual({ status: 304, requestId: expect.any(String), version: results[4]?.version });
});

test('one session comes out of a batch, good for every partition it wrote', async () => {
  const body = JSON.stringify({
    operations: Array.from({ length: 40 }, (_, n) => ({ op: 'object.put', ...M, id: `s${n}`, text: String(n) })),
  });
  const reply = await call('POST', '/batch', { body });
  const session = reply.headers.get('habitat-session') ?? '';
  expect(session.length).toBeGreaterThan(0);
  expect(session.length).toBeLessThan(400);
  const read = await call('GET', '/objects/Message/s39', { headers: { 'habitat-session': session } });
  expect(read.text).toBe('39');
  expect(Number(reply.headers.get('habitat-ru'))).toBeGreaterThan(40);
});

test('a reply stops carrying content at 16 MB, and says which reads are missing', async () => {
  const text = 'x'.repeat(1_390_000);
  await call('PUT', '/objects/Big/big', { body: text });
  const results = await batch(Array.from({ length: 20 }, () => ({ op: 'object.get', type: 'Big', id: 'big' })));
  const served = results.filter(({ status }) => status === 200);
  expect(served.length).toBe(12);
  for (const result of results.slice(12)) expect(result.error).toMatchObject({ code: 'response_too_large' });
  const [one] = await batch([{ op: 'object.get', type: 'Big', id: 'big' }]);
  expect(one?.text).toBe(text);
});

test.each([
  ['{"operations":[]}', 'malformed_request'],
  [
    JSON.stringify({ operations: Array.from({ length: 101 }, () => ({ op: 'object.get', ...M, id: 'x' })) }),
    'malformed_request',
  ],
  ['{"operations":[{}],"more":1}', 'malformed_request'],
  ['{"operations":[{"op":"object.get","op":"object.get"}]}', 'malformed_request'],
  ['{"operations":[{"__proto__":1}]}', 'malformed_request'],
  ['[]', 'malformed_request'],
  ['', 'malformed_request'],
  [`{"operations":["${'x'.repeat(8_000_000)}"]}`, 'request_too_large'],
])('a body that is no batch is refused as a whole (%#)', async (body, code) => {
  const reply = await call('POST', '/batch', { body });
  expect(reply.code).toBe(code);
  expect(reply.headers.get('habitat-ru')).toBe('0');
});

test('a batch needs a key, and its operations another tenant as little as any call', async () => {
  const anyone = await fetch(`${stack.gateway.url}/v1/chat/batch`, { method: 'POST', body: '{"operations":[]}' });
  expect(anyone.status).toBe(401);
  await anyone.body?.cancel();
  const other = await fetch(`${stack.gateway.url}/v1/other/batch`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key.token}` },
    body: JSON.stringify({ operations: [{ op: 'object.get', ...M, id: 'x' }] }),
  });
  const { results } = BatchResults.parse(await other.json());
  expect(results[0]?.error).toMatchObject({ code: 'forbidden' });
});

test('a deadline that passes is told by each operation it met', async () => {
  const headers = { 'habitat-deadline-ms': '1' };
  const body = JSON.stringify({
    operations: Array.from({ length: 100 }, (_, n) => ({ op: 'object.get', ...M, id: `d${n}` })),
  });
  const reply = await call('POST', '/batch', { body, headers });
  const codes =
    reply.code === null
      ? BatchResults.parse(reply.body).results.map(({ error }) => (error as { code: string }).code)
      : [reply.code];
  expect(codes).toContain('deadline_exceeded');
  for (const code of codes) expect(['deadline_exceeded', 'object_not_found', 'store_unavailable']).toContain(code);
});
