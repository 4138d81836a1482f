import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CosmosClient } from '@azure/cosmos';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { edgeType, exampleItems, makeKey } from '#test/gateway/fixtures/definitions.ts';
import { eventually } from '#test/gateway/fixtures/eventually.ts';
import { caller } from '#test/gateway/fixtures/gateway.ts';
import { type Stack, startStack } from '#test/gateway/fixtures/stack.ts';

const key = makeKey('chat-api');
const TOKEN = 'a token of the tests';
const M = '/objects/Message';
const C = '/objects/Conversation';
let stack: Stack;
let call: ReturnType<typeof caller>;

beforeAll(async () => {
  const items = exampleItems(key);
  items.edgeType.push(edgeType('pins', 'Conversation', 'Message'));
  stack = await startStack(items, { adminPort: 0, adminToken: TOKEN });
  call = caller(stack.gateway.url, key.token);
});
afterAll(() => stack?.stop());

async function admin(path: string, body: object): Promise<void> {
  const response = await fetch(`${stack.cosmos.admin?.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}` },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
}

/** As a bad disk would: one character of a stored text is another. */
function corrupt(partition: string, id: string, property: string): Promise<void> {
  return admin('/corrupt', {
    account: 'habitat-local',
    database: 'habitat',
    container: 'main',
    partition,
    id,
    property,
  });
}

const MARKER = 'Zq7#marker-0123456789-TOP-SECRET-plaintext';

describe('T16: what is stored and no longer what was written', () => {
  test.each([
    ['content.envelope', 'checksum_mismatch'],
    ['content.contentType', 'content_unreadable'],
    ['content.codec', 'content_unreadable'],
    ['content.keyId', 'content_unreadable'],
  ])('an object with another %s is %s and shows nothing', async (property, code) => {
    const id = property.replace('.', '-');
    await call('PUT', `${M}/${id}`, { body: MARKER, headers: { 'content-type': 'text/plain' } });
    expect((await call('GET', `${M}/${id}`)).text).toBe(MARKER);
    await corrupt(`chat|Message|${id}`, 'o', property);
    const refused = await call('GET', `${M}/${id}`);
    expect([refused.status, refused.code]).toEqual([500, code]);
    expect(refused.text).not.toContain(MARKER.slice(0, 8));
    expect(refused.headers.get('etag')).toBeNull();
    // Nothing is lost that can be written again.
    expect((await call('PUT', `${M}/${id}`, { body: 'new' })).status).toBe(200);
    expect((await call('GET', `${M}/${id}`)).text).toBe('new');
  });

  test.each([
    ['content.envelope', 'checksum_mismatch'],
    ['to', 'content_unreadable'],
  ])('an edge with another %s is %s, and so is the page that holds it', async (property, code) => {
    const from = `${C}/${property.replace('.', '-')}`;
    const target = 'm-to-a-target';
    await call('PUT', `${from}/edges/pins/${target}`, { body: JSON.stringify({ data: MARKER }) });
    await call('PUT', `${from}/edges/pins/well`, { body: JSON.stringify({ data: 'well' }) });
    await corrupt(`chat|Conversation|${property.replace('.', '-')}`, `e~pins~${target}`, property);
    const page = await call('GET', `${from}/edges/pins`);
    expect([page.status, page.code]).toEqual([500, code]);
    expect(page.text).not.toContain(MARKER.slice(0, 8));
    expect((await call('GET', `${from}/edges/pins/well`)).body.data).toBe('well');
  });

  test('an item that is none of ours is internal, and the operator is told', async () => {
    await call('PUT', `${M}/strange`, { body: 'hello' });
    const client = new CosmosClient({ endpoint: stack.cosmos.url, key: stack.cosmos.key });
    const item = client.database('habitat').container('main').item('o', 'chat|Message|strange');
    await item.patch([{ op: 'set', path: '/r', value: 'no revision' }]);
    const failed = await call('GET', `${M}/strange`);
    expect([failed.status, failed.code]).toEqual([500, 'internal']);
    expect(failed.error?.message).toBe('Something went wrong inside the gateway.');
    await eventually('the operator is told', () =>
      stack.gateway.said().includes(`Request ${failed.error?.requestId}: `),
    );
  });

  test('in a batch only the operation that meets it fails', async () => {
    for (const id of ['b1', 'b2']) await call('PUT', `${M}/${id}`, { body: 'hello' });
    await corrupt('chat|Message|b1', 'o', 'content.envelope');
    const operations = ['b1', 'b2'].map((id) => ({ op: 'object.get', type: 'Message', id }));
    const { body } = await call('POST', '/batch', { body: JSON.stringify({ operations }) });
    expect(body.results).toMatchObject([{ status: 500, error: { code: 'checksum_mismatch' } }, { text: 'hello' }]);
  });
});

test('no eight bytes of what was written lie in any file of the store or the gateway', async () => {
  // Readers that lag hold a snapshot open, so that the write-ahead log keeps what a checkpoint would move away.
  await admin('/faults', { effect: { kind: 'lag', lagMs: null } });
  await call('PUT', `${M}/small`, { body: MARKER, headers: { 'idempotency-key': 'k1' } });
  await call('PUT', `${M}/large`, { body: MARKER.repeat(200) });
  const data = JSON.stringify({ data: MARKER });
  await call('PUT', `${C}/c1/edges/messages/small`, { body: data, headers: { 'idempotency-key': 'k2' } });
  const operations = [{ op: 'object.put', type: 'Message', id: 'batched', json: { said: MARKER } }];
  expect((await call('POST', '/batch', { body: JSON.stringify({ operations }) })).body.results[0].status).toBe(201);
  await call('DELETE', `${C}/c1/edges/messages/small`);

  const store = await bytesOf(stack.cosmosDir);
  expect(store.names.some((name) => name.endsWith('-wal'))).toBe(true);
  const gateway = await bytesOf(stack.home.dir);
  const bytes = Buffer.concat([store.bytes, gateway.bytes]);
  // What is stored in clear is found, so the search itself works.
  for (const clear of ['chat|Message|large', 'chat|Message|batched']) expect(store.bytes.includes(clear)).toBe(true);
  expect(gateway.bytes.includes('object.put')).toBe(true);
  const forms = [MARKER, JSON.stringify({ said: MARKER }).slice(9), ...base64Of(MARKER)];
  for (const form of forms) {
    for (let at = 0; at + 8 <= form.length; at += 1) expect(bytes.includes(form.slice(at, at + 8))).toBe(false);
  }
});

/** Base64 of a text depends on where in a group of three bytes it begins. */
function base64Of(text: string): readonly string[] {
  return [0, 1, 2].map((shift) => Buffer.from(text.slice(shift)).toString('base64').replace(/=+$/, '').slice(0, -2));
}

async function bytesOf(folder: string): Promise<{ names: readonly string[]; bytes: Buffer }> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return { names, bytes: Buffer.concat(await Promise.all(names.map((name) => readFile(name)))) };
}
