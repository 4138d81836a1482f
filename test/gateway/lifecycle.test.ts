import { afterAll, beforeAll, expect, test } from 'vitest';
import { edgeType, exampleItems, makeKey, objectType } from '#test/gateway/fixtures/definitions.ts';
import { caller } from '#test/gateway/fixtures/gateway.ts';
import { type Stack, startStack } from '#test/gateway/fixtures/stack.ts';

const key = makeKey('chat-api');
let stack: Stack;
let call: ReturnType<typeof caller>;

const warn = { state: 'deprecated-warn', since: '2026-12-01', replacement: 'Use Note.' } as const;
const error = {
  state: 'deprecated-error',
  since: '2026-11-01',
  sunset: '2027-01-01',
  replacement: 'Use Note.',
} as const;

beforeAll(async () => {
  const items = exampleItems(key);
  items.objectType.push(
    objectType('Old', { lifecycle: warn }),
    objectType('Gone', { lifecycle: error }),
    objectType('Secret', { classification: 'restricted', lifecycle: error }),
  );
  items.edgeType.push(
    edgeType('olds', 'Conversation', 'Old', { lifecycle: warn }),
    edgeType('fromOld', 'Old', 'Message'),
  );
  stack = await startStack(items);
  call = caller(stack.gateway.url, key.token);
});
afterAll(() => stack?.stop());

test('a deprecated type is served, and every reply says so, refusals too', async () => {
  const header = 'Old; since=2026-12-01; replacement="Use Note."';
  const put = await call('PUT', '/objects/Old/1', { body: 'x' });
  expect([put.status, put.headers.get('habitat-deprecated')]).toEqual([201, header]);
  const missing = await call('GET', '/objects/Old/2');
  expect([missing.status, missing.headers.get('habitat-deprecated')]).toEqual([404, header]);
});

test('an edge operation names a deprecated edge type and a deprecated object type it starts from', async () => {
  const edges = await call('GET', '/objects/Conversation/1/edges/olds?limit=1');
  expect(edges.headers.get('habitat-deprecated')).toBe('olds; since=2026-12-01; replacement="Use Note."');
  const from = await call('GET', '/objects/Old/1/edges/fromOld?limit=1');
  expect(from.headers.get('habitat-deprecated')).toBe('Old; since=2026-12-01; replacement="Use Note."');
});

test('an active type says nothing', async () => {
  const reply = await call('GET', '/objects/Message/none');
  expect(reply.headers.get('habitat-deprecated')).toBeNull();
});

test('a type past that is refused as type_deprecated with what to use instead, and costs nothing', async () => {
  const reply = await call('GET', '/objects/Gone/1');
  expect(reply.status).toBe(410);
  expect(reply.body).toMatchObject({
    error: {
      code: 'type_deprecated',
      message: 'Gone is deprecated since 2026-11-01 and no longer served. Instead: Use Note.',
      details: { type: 'Gone', since: '2026-11-01', sunset: '2027-01-01', replacement: 'Use Note.' },
    },
  });
  expect(reply.headers.get('habitat-ru')).toBe('0');
});

test('who may not use it learns nothing of it', async () => {
  const reply = await call('GET', '/objects/Secret/1');
  expect(reply.body).toMatchObject({ error: { code: 'forbidden' } });
  expect(reply.headers.get('habitat-deprecated')).toBeNull();
});

test('a batch says it for all of its operations', async () => {
  const operations = [
    { op: 'object.get', type: 'Old', id: '1' },
    { op: 'object.get', type: 'Gone', id: '1' },
  ];
  const reply = await call('POST', '/batch', { body: JSON.stringify({ operations }) });
  expect(reply.headers.get('habitat-deprecated')).toMatch(/^Gone; since=2026-11-01; .*, Old; since/);
});
