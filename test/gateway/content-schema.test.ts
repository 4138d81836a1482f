import { afterAll, beforeAll, expect, test } from 'vitest';
import { exampleItems, makeKey, objectType } from '#test/gateway/fixtures/definitions.ts';
import { eventually } from '#test/gateway/fixtures/eventually.ts';
import { caller } from '#test/gateway/fixtures/gateway.ts';
import { type Stack, startStack } from '#test/gateway/fixtures/stack.ts';

const key = makeKey('chat-api');
const schema = JSON.stringify({ type: 'object', properties: { 'naïve name': { type: 'string' } }, required: ['id'] });
let stack: Stack;
let call: ReturnType<typeof caller>;

beforeAll(async () => {
  const items = exampleItems(key);
  items.objectType.push(
    objectType('Warned', { contentSchema: { mode: 'warn', schema } }),
    objectType('Enforced', { contentSchema: { mode: 'enforce', schema } }),
    objectType('Unchecked', { contentSchema: { mode: 'off', schema } }),
  );
  stack = await startStack(items);
  call = caller(stack.gateway.url, key.token);
});
afterAll(() => stack?.stop());

const MISFIT = '{"secret": "4711"}';

test('content that does not fit an enforced schema is content_rejected, without a word of it, and not stored', async () => {
  const refused = await call('PUT', '/objects/Enforced/1', { body: MISFIT });
  expect([refused.status, refused.code]).toEqual([422, 'content_rejected']);
  expect(refused.error?.message).toBe('The content does not fit the schema of Enforced: /id is missing.');
  expect(refused.error?.details).toEqual({ path: '/id', reason: 'is missing' });
  expect(refused.text).not.toMatch(/secret|4711/);
  expect(refused.headers.get('habitat-ru')).toBe('0');
  expect((await call('GET', '/objects/Enforced/1')).code).toBe('object_not_found');
  const created = await call('POST', '/objects/Enforced', { body: 'no json' });
  expect(created.code).toBe('content_rejected');
});

test('content that fits is stored byte for byte', async () => {
  const body = '{ "id" :1.0e0,\n "other": "\\u00e9" }';
  expect((await call('PUT', '/objects/Enforced/2', { body })).status).toBe(201);
  expect((await call('GET', '/objects/Enforced/2')).text).toBe(body);
});

test('a schema that warns stores the content and says what does not fit', async () => {
  const stored = await call('PUT', '/objects/Warned/1', { body: '{"id":1,"naïve name":2}' });
  expect([stored.status, stored.headers.get('habitat-content-misfit')]).toEqual([
    201,
    '/na%C3%AFve%20name is not string',
  ]);
  expect((await call('GET', '/objects/Warned/1')).text).toBe('{"id":1,"naïve name":2}');
  const fitting = await call('PUT', '/objects/Warned/1', { body: '{"id":1}' });
  expect(fitting.headers.get('habitat-content-misfit')).toBeNull();
});

test('a batch says it for each operation', async () => {
  const operations = [
    { op: 'object.put', type: 'Warned', id: 'b', json: {} },
    { op: 'object.put', type: 'Enforced', id: 'b', json: {} },
    { op: 'object.put', type: 'Unchecked', id: 'b', json: {} },
  ];
  const { body } = await call('POST', '/batch', { body: JSON.stringify({ operations }) });
  expect(body.results).toMatchObject([
    { status: 201, misfit: { path: '/id', reason: 'is missing' } },
    { status: 422, error: { code: 'content_rejected' } },
    { status: 201 },
  ]);
  expect(body.results[2]).not.toHaveProperty('misfit');
});

test('misfits are counted by type, and so are bytes that came and were stored', async () => {
  await call('PUT', '/objects/Unchecked/long', { body: 'a'.repeat(10_000) });
  const metric = async (line: RegExp) =>
    Number(line.exec(await (await fetch(`${stack.gateway.url}/metrics`)).text())?.[1]);
  const misfits = (type: string, became: string) =>
    metric(new RegExp(`content_misfits_total\\{type="${type}",became="${became}"\\} (\\d+)`));
  await eventually('every worker has told what it refused', async () => (await misfits('Enforced', 'refused')) === 3);
  await eventually('every worker has told what it stored', async () => (await misfits('Warned', 'stored')) === 2);
  const bytes = async (which: string) =>
    metric(new RegExp(`content_${which}_bytes_total\\{type="Unchecked",codec="zstd"\\} (\\d+)`));
  await eventually('the long one is counted', async () => (await bytes('plain')) === 10_000);
  expect(await bytes('stored')).toBeLessThan(200);
});
