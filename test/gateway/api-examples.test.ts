import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ApiExample, ApiOperation } from '#gateway/contract/api/api-operation.ts';
import { API_OPERATIONS } from '#gateway/contract/api/api-operations.ts';
import { errorExampleOf } from '#gateway/contract/api/error-examples.ts';
import type { ErrorCode } from '#gateway/contract/errors.ts';
import {
  type DescribedOperation,
  judgeOf,
  OpenApiDocument,
  operationAt,
} from '#test/gateway/contract/api/described.ts';
import { edgeType, exampleItems, makeKey } from '#test/gateway/fixtures/definitions.ts';
import { type Stack, startStack } from '#test/gateway/fixtures/stack.ts';

const key = makeKey('chat-api');
let stack: Stack;
let document: OpenApiDocument;

beforeAll(async () => {
  const items = exampleItems(key);
  items.edgeType.push(edgeType('archived', 'Conversation', 'Message'));
  stack = await startStack(items);
  document = OpenApiDocument.parse(await (await fetch(`${stack.gateway.url}/v1/openapi.json`)).json());
});
afterAll(() => stack?.stop());

async function send(
  { method, path }: Pick<ApiOperation, 'method' | 'path'>,
  example: Omit<ApiExample, 'name' | 'says' | 'reply'>,
) {
  const place = path
    .replace('{tenant}', 'chat')
    .replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(example.path[name] ?? ''));
  const query = new URLSearchParams(example.query?.map(([name, value]) => [name, value]));
  const reply = await fetch(`${stack.gateway.url}${place}${query.size > 0 ? `?${query}` : ''}`, {
    method,
    headers: { authorization: `Bearer ${key.token}`, 'habitat-deadline-ms': '30000', ...example.headers },
    ...(example.body === undefined ? {} : { body: JSON.stringify(example.body) }),
  });
  const text = await reply.text();
  return { reply, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
}

/** What differs from one run to the next; an edge that was written without a time has the moment's. */
const VOLATILE = new Set(['version', 'cursor', 'requestId', 'help', 'time']);

/** Set while edges of a deleted object are still there, which on a busy machine is a moment longer. */
const PASSING = 'sweeping';

function shapeOf(value: unknown, told: unknown, name = ''): unknown {
  if (Array.isArray(value))
    return value.map((one, index) => shapeOf(one, Array.isArray(told) ? told[index] : undefined));
  if (value !== null && typeof value === 'object') {
    const entries = Object.entries(value).filter(([key]) => key !== PASSING);
    return Object.fromEntries(entries.map(([key, one]) => [key, shapeOf(one, Object(told)[key], key)]));
  }
  return VOLATILE.has(name) ? typeof value : value;
}

const made = API_OPERATIONS.flatMap((call) =>
  call.examples.map((example) => [example.name, { call, example }] as const),
);

test.each(made)('the example %s is answered as the description says', async (_, { call, example }) => {
  const operation = operationAt(document, call.method, call.path)?.operation as DescribedOperation;
  const { reply, body } = await send(call, example);
  expect(reply.status).toBe(example.reply.status);
  if (call.id === 'object.create') {
    expect(body).toEqual({ id: expect.stringMatching(/^\w{26}$/), version: expect.any(String), created: true });
  } else {
    expect(shapeOf(body, example.reply.body)).toEqual(shapeOf(example.reply.body, body));
  }
  if (call.id === 'object.delete') {
    const isSweeping = async () => PASSING in Object((await send(call, example)).body);
    await expect.poll(isSweeping).toBe(false);
  }
  const response = operation.responses[reply.status];
  const schema = response?.content?.['application/json']?.schema;
  expect(schema === undefined).toBe(body === undefined);
  if (schema !== undefined) expect(judgeOf(schema, document).safeParse(body).error).toBeUndefined();
  const described = new Set(Object.keys(response?.headers ?? {}).map((header) => header.toLowerCase()));
  const ours = [...reply.headers.keys()].filter((header) => /^(habitat-|ratelimit-|etag$|server-timing$)/.test(header));
  expect(ours.filter((header) => !described.has(header))).toEqual([]);
  const always = Object.entries(document.components.headers).flatMap(([id, { required }]) =>
    required === true ? [id] : [],
  );
  expect(always).toEqual(['requestId', 'ru', 'serverTiming']);
  for (const name of ['habitat-request-id', 'habitat-ru', 'server-timing']) expect(ours).toContain(name);
  expect(ours.includes('etag')).toBe(
    call.replies.some(({ status, hasVersion }) => status === reply.status && hasVersion),
  );
});

test.each(API_OPERATIONS.map((call) => [call.id, call] as const))('bodies of %s fit their schema', (_, call) => {
  const operation = operationAt(document, call.method, call.path)?.operation;
  for (const { body } of call.examples) {
    if (body === undefined) continue;
    const schema = operation?.requestBody?.content['application/json']?.schema ?? {};
    expect(judgeOf(schema, document).safeParse(body).error).toBeUndefined();
  }
});

const objectGet = API_OPERATIONS.find(({ id }) => id === 'object.get') as ApiOperation;
const edgeList = API_OPERATIONS.find(({ id }) => id === 'edge.list') as ApiOperation;
const objectPut = API_OPERATIONS.find(({ id }) => id === 'object.put') as ApiOperation;

/** Refusals that a caller makes at once; those of the store and of time are made by other tests. */
const REFUSED: readonly (readonly [ErrorCode, ApiOperation, Omit<ApiExample, 'name' | 'says' | 'reply'>])[] = [
  [
    'unauthenticated',
    objectGet,
    { path: { type: 'Message', id: 'm' }, headers: { authorization: 'Bearer hk_abcdefghijkl_0123456789abcdef' } },
  ],
  ['unknown_type', objectGet, { path: { type: 'Mesage', id: 'm' } }],
  ['unknown_edge_type', edgeList, { path: { type: 'Conversation', id: 'c', edgeType: 'mesages' } }],
  ['edge_type_mismatch', edgeList, { path: { type: 'Message', id: 'm', edgeType: 'messages' } }],
  ['object_not_found', objectGet, { path: { type: 'Message', id: 'none' } }],
  ['version_conflict', objectPut, { path: { type: 'Message', id: 'none' }, headers: { 'if-match': '"1"' }, body: 1 }],
  [
    'invalid_cursor',
    edgeList,
    { path: { type: 'Conversation', id: 'c', edgeType: 'messages' }, query: [['cursor', 'x']] },
  ],
  ['content_too_large', objectPut, { path: { type: 'Message', id: 'm' }, body: 'x'.repeat(99_999) }],
  ['request_too_large', objectPut, { path: { type: 'Message', id: 'm' }, body: 'x'.repeat(1_399_999) }],
];

test.each(REFUSED)('%s is refused as its example says', async (code, call, example) => {
  const { reply, body } = await send(call, example);
  const { error } = errorExampleOf(code);
  const message = error.message.replace('r42', 'r1');
  expect(body).toEqual({
    error: { ...error, message, requestId: expect.any(String), help: expect.stringContaining('/requests/') },
  });
  const operation = operationAt(document, call.method, call.path)?.operation;
  expect(operation?.responses[reply.status]?.description.split(', ')).toContain(code);
});

test('the description is read without a key, known by its ETag, and by HEAD and OPTIONS as by GET', async () => {
  const url = `${stack.gateway.url}/v1/openapi.json`;
  const got = await fetch(url);
  const etag = got.headers.get('etag') ?? '';
  expect([got.status, got.headers.get('content-type'), etag]).toEqual([
    200,
    'application/json',
    expect.stringMatching(/^"[\w-]{22}"$/),
  ]);
  const length = (await got.arrayBuffer()).byteLength;
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const same = await fetch(url, { headers: { 'if-none-match': known } });
    expect([same.status, await same.text(), same.headers.get('etag')]).toEqual([304, '', etag]);
  }
  expect((await fetch(url, { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
  const head = await fetch(url, { method: 'HEAD' });
  expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, String(length), '']);
  const options = await fetch(url, { method: 'OPTIONS' });
  expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS']);
  expect((await fetch(url, { method: 'POST' })).status).toBe(401);
  const text = JSON.stringify(document);
  for (const word of ['chat-api', key.token]) expect(text).not.toContain(word);
});

test.each(['/healthz', '/readyz', '/metrics'])('%s answers without a key, as described', async (path) => {
  const reply = await fetch(`${stack.gateway.url}${path}`);
  const { operation } = operationAt(document, 'GET', path) ?? {};
  expect(operation?.security).toEqual([]);
  const [type] = (reply.headers.get('content-type') ?? '').split(';');
  expect(Object.keys(operation?.responses[reply.status]?.content ?? {})).toEqual([type]);
  expect((await reply.text()).length).toBeGreaterThan(2);
  const head = await fetch(`${stack.gateway.url}${path}`, { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([reply.status, '']);
});
