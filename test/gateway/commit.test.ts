import { afterAll, beforeAll, expect, test } from 'vitest';
import { edgeType, exampleItems, makeKey, objectType, principal, tenant } from '#test/gateway/fixtures/definitions.ts';
import { eventually } from '#test/gateway/fixtures/eventually.ts';
import { caller } from '#test/gateway/fixtures/gateway.ts';
import { type Stack, startStack } from '#test/gateway/fixtures/stack.ts';

const key = makeKey('chat-api');
const clerkKey = makeKey('clerk');
const poorKey = makeKey('poor-api');
const C = '/objects/Conversation';
let stack: Stack;
let call: ReturnType<typeof caller>;

const permit = (name: string, principalIs: string, resource: string) => ({
  ...{ name, ownerTeam: 'chat' },
  cedar: `permit (principal == ${principalIs}, action, resource == ${resource});`,
});

beforeAll(async () => {
  const items = exampleItems(key);
  items.objectType.push(
    objectType('Big', { maxBytes: 1_400_000 }),
    objectType('Form', {
      contentSchema: { mode: 'enforce', schema: '{"type":"object","required":["name"]}' },
    }),
  );
  items.edgeType.push(
    edgeType('pins', 'Conversation', 'Message', { dataMaxBytes: 8 }),
    edgeType('lead', 'Conversation', 'Message', { cardinality: 'one' }),
    edgeType('quiet', 'Conversation', 'Message', { audit: { reads: 'none', writes: 'none' } }),
    edgeType('parts', 'Big', 'Message'),
    edgeType('old', 'Conversation', 'Message', { lifecycle: { state: 'deprecated-error', since: '2026-12-01' } }),
  );
  items.principal.push(principal('clerk', { actorKind: 'agent' }), principal('poor-api', { tenant: 'poor' }));
  items.tenant.push(
    tenant('poor', {
      quotas: { readsPerSecond: 100, writesPerSecond: 3, ruPerSecond: 10_000, inFlight: 10 },
      ownerTeam: 'chat',
    }),
  );
  items.key.push(clerkKey.item, poorKey.item);
  items.policy.push(permit('clerks-pin', 'Agent::"clerk"', 'EdgeType::"pins"'));
  stack = await startStack(items);
  call = caller(stack.gateway.url, key.token);
});
afterAll(() => stack?.stop());

interface Sent {
  readonly headers?: Record<string, string>;
  readonly as?: ReturnType<typeof caller>;
}

function commit(path: string, operations: readonly unknown[], { headers = {}, as = call }: Sent = {}) {
  return as('POST', `${path}:commit`, { body: JSON.stringify({ operations }), headers });
}

const countOf = async (id: string, type: string) => (await call('GET', `${C}/${id}/edges/${type}:count`)).body.count;

test('writes of one object and its edges happen together, each answered as if it came alone', async () => {
  await call('PUT', `${C}/c1/edges/pins/m0`, { body: '{"time":1,"data":"kept"}' });
  const operations = [
    { op: 'object.put', json: { title: 'one' }, ifAbsent: true },
    { op: 'edge.put', edgeType: 'messages', toId: 'm1', time: 5, data: 'first' },
    { op: 'edge.changeType', edgeType: 'pins', toId: 'm0', to: 'lead' },
    { op: 'edge.delete', edgeType: 'messages', toId: 'nobody' },
  ];
  const reply = await commit(`${C}/c1`, operations);
  expect(reply.status, reply.text).toBe(200);
  const version = expect.stringMatching(/^[0-9a-z]+$/);
  expect(reply.body).toEqual({
    results: [
      { id: 'c1', version, created: true },
      { toId: 'm1', time: 5, version, created: true },
      { toId: 'm0', edgeType: 'lead', time: 1, version, replaced: false },
      { toId: 'nobody', deleted: false },
    ],
  });
  const object = await call('GET', `${C}/c1`);
  expect([object.text, object.headers.get('etag')]).toEqual(['{"title":"one"}', `"${reply.body.results[0].version}"`]);
  expect((await call('GET', `${C}/c1/edges/lead/m0`)).body).toMatchObject({ data: 'kept' });
  expect([await countOf('c1', 'messages'), await countOf('c1', 'pins')]).toEqual([1, 0]);
  const inverse = await call('GET', '/objects/Message/m1/edges/inConversation');
  expect(inverse.body.edges).toMatchObject([{ toId: 'c1', data: 'first' }]);
});

test('a refused operation refuses all, and the refusal names it', async () => {
  await commit(`${C}/c2`, [{ op: 'object.put', text: 'x' }]);
  const refused = await commit(`${C}/c2`, [
    { op: 'edge.put', edgeType: 'pins', toId: 'm1' },
    { op: 'object.put', text: 'y', ifMatch: '1' },
  ]);
  expect([refused.status, refused.code]).toEqual([412, 'version_conflict']);
  expect(refused.error?.details).toMatchObject({ operation: 1 });
  expect(await countOf('c2', 'pins')).toBe(0);
});

test('T13: repeated with its key it answers the same; the key is bound to the whole body', async () => {
  const headers = { 'idempotency-key': 'commit-1' };
  const operations = [
    { op: 'edge.put', edgeType: 'pins', toId: 'm1', time: 1 },
    { op: 'edge.delete', edgeType: 'pins', toId: 'm2' },
  ];
  const first = await commit(`${C}/c3`, operations, { headers });
  await commit(`${C}/c3`, [{ op: 'edge.delete', edgeType: 'pins', toId: 'm1' }]);
  expect((await commit(`${C}/c3`, operations, { headers })).body).toEqual(first.body);
  expect((await commit(`${C}/c3`, operations.toReversed(), { headers })).code).toBe('idempotency_conflict');
  expect((await commit(`${C}/c4`, operations, { headers })).status).toBe(200);
  expect(await countOf('c3', 'pins')).toBe(0);
});

const pin = { op: 'edge.put', edgeType: 'pins', toId: 'm1' };

test.each<[string, readonly unknown[], string, number?]>([
  ['no operation', [], 'malformed_request'],
  ['more than 96', Array.from({ length: 97 }, () => pin), 'malformed_request'],
  ['an operation that reads', [pin, { op: 'edge.get', edgeType: 'pins', toIds: ['m1'] }], 'malformed_request', 1],
  ['a delete of the object', [{ op: 'object.delete' }], 'malformed_request', 0],
  ['another object', [{ ...pin, id: 'other' }], 'malformed_request', 0],
  ['no id', [pin, { ...pin, toId: '..' }], 'malformed_request', 1],
  ['two contents', [{ op: 'object.put', text: 'x', json: 1 }], 'malformed_request', 0],
  ['two conditions', [{ op: 'object.put', text: 'x', ifMatch: '1', ifAbsent: true }], 'malformed_request', 0],
  [
    'the object twice',
    [
      { op: 'object.put', text: 'x' },
      { op: 'object.put', text: 'y' },
    ],
    'malformed_request',
  ],
  ['an unknown edge type', [pin, { ...pin, edgeType: 'ghosts' }], 'unknown_edge_type'],
  ['a type that starts elsewhere', [{ ...pin, edgeType: 'parts' }], 'edge_type_mismatch'],
  ['a type that is no longer served', [pin, { ...pin, edgeType: 'old' }], 'type_deprecated'],
  ['the type it has', [{ op: 'edge.changeType', edgeType: 'pins', toId: 'm1', to: 'pins' }], 'malformed_request', 0],
  ['too much data', [pin, { ...pin, data: 'nine bytes' }], 'content_too_large', 1],
])('%s is refused as it stands and costs nothing', async (_, operations, code, operation) => {
  const refused = await commit(`${C}/c5`, operations);
  expect(refused.code).toBe(code);
  expect(refused.error?.details?.operation).toBe(operation);
  expect(refused.headers.get('habitat-ru')).toBe('0');
});

test('content is bounded and checked as in a put of its own', async () => {
  const form = await commit('/objects/Form/f1', [{ op: 'object.put', json: { nome: 1 } }]);
  expect([form.code, form.error?.details?.operation]).toEqual(['content_rejected', 0]);
  const large = await commit(`${C}/c5`, [{ op: 'object.put', text: 'x'.repeat(100_001) }]);
  expect(large.code).toBe('content_too_large');
  const base64 = Buffer.alloc(1_390_000, 7).toString('base64');
  expect((await commit('/objects/Big/b1', [{ op: 'object.put', base64 }])).status).toBe(200);
});

test('96 items is the most; a change of type touches two, cardinality one the same one', async () => {
  const change = { op: 'edge.changeType', edgeType: 'pins', to: 'quiet' };
  const changes = Array.from({ length: 49 }, (_, n) => ({ ...change, toId: `m${n}` }));
  const refused = await commit(`${C}/c6`, changes);
  expect([refused.code, refused.headers.get('habitat-ru')]).toEqual(['request_too_large', '0']);
  expect(refused.error?.details).toMatchObject({ items: 98, mostItems: 96 });
  const leads = Array.from({ length: 96 }, (_, n) => ({ op: 'edge.put', edgeType: 'lead', toId: `m${n}` }));
  expect((await commit(`${C}/c6`, leads)).status).toBe(200);
  expect((await call('GET', `${C}/c6/edges/lead`)).body.edges).toMatchObject([{ toId: 'm95' }]);
});

test('an inverse is committed with its forward edges, where they start', async () => {
  const refused = await commit('/objects/Message/m1', [{ op: 'edge.put', edgeType: 'inConversation', toId: 'c1' }]);
  expect([refused.code, refused.error?.details?.operation]).toEqual(['edge_type_mismatch', 0]);
});

test('every operation needs its own right', async () => {
  const as = caller(stack.gateway.url, clerkKey.token);
  expect((await commit(`${C}/c7`, [pin, { ...pin, toId: 'm2' }], { as })).status).toBe(200);
  const refused = await commit(`${C}/c7`, [pin, { op: 'object.put', text: 'x' }], { as });
  expect(refused.code).toBe('forbidden');
  expect(refused.error?.details?.needed).toMatchObject({ action: 'Action::"object.write"' });
  // The audit names what of the commit was refused, so that a refusal can be decided anew.
  const id = refused.headers.get('habitat-request-id');
  const rows = () => stack.console.auditRows.filter(({ requestId }) => requestId === id);
  await eventually('the refusal came', () => rows().length > 0);
  expect(rows()).toMatchObject([{ phase: 'refusal', operation: 'object.put', type: 'Conversation', edgeType: null }]);
  const moved = await commit(`${C}/c7`, [{ op: 'edge.changeType', edgeType: 'pins', toId: 'm1', to: 'quiet' }], { as });
  expect(moved.error?.details?.needed).toMatchObject({ action: 'Action::"edge.write"', resource: 'EdgeType::"quiet"' });
});

test('each operation counts as a write of the quota', async () => {
  const poor = (operations: readonly unknown[]) =>
    fetch(`${stack.gateway.url}/v1/poor${C}/c1:commit`, {
      ...{ method: 'POST', headers: { authorization: `Bearer ${poorKey.token}` } },
      body: JSON.stringify({ operations }),
    });
  const three = [pin, { ...pin, toId: 'm2' }, { ...pin, toId: 'm3' }];
  const status = async () => {
    const replies = [await poor(three), await poor(three)];
    for (const reply of replies) await reply.body?.cancel();
    return replies.map((reply) => reply.status);
  };
  await eventually('a second commit in a row is over the quota', async () => {
    const [first, second] = await status();
    return (first === 200 && second === 429) || null;
  });
});

test('one object takes 350 writes at once, whatever its tenant may; its delete gets through', async () => {
  const many = (n: number) =>
    commit(
      `${C}/hot`,
      Array.from({ length: 96 }, (_, at) => ({ op: 'edge.put', edgeType: 'quiet', toId: `m${n}-${at}` })),
    );
  const replies = await Promise.all(Array.from({ length: 10 }, (_, n) => many(n)));
  const refused = replies.find(({ code }) => code === 'quota_exceeded');
  expect(refused?.error?.details).toEqual({ dimension: 'objectWrites', limit: 50 });
  expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  expect(replies.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(3);
  expect((await call('DELETE', `${C}/hot`)).status).toBe(200);
});

test('the audit has an intent and an outcome for each operation whose type is audited', async () => {
  const operations = [
    { op: 'object.put', text: 'audited' },
    { op: 'edge.put', edgeType: 'quiet', toId: 'm1' },
    { op: 'edge.delete', edgeType: 'pins', toId: 'm2' },
  ];
  const reply = await commit(`${C}/c8`, operations);
  const id = reply.headers.get('habitat-request-id');
  const rows = () => stack.console.auditRows.filter(({ requestId }) => requestId === id);
  await eventually('the rows came', () => rows().length === 4);
  const texts = rows().map(({ phase, operation, edgeType: type, toId }) => `${phase} ${operation} ${type} ${toId}`);
  expect(texts).toEqual([
    ...['intent object.put null null', 'intent edge.delete pins m2'],
    ...['outcome object.put null null', 'outcome edge.delete pins m2'],
  ]);
  const versions = rows().map(({ version }) => version);
  expect(versions).toEqual([null, null, reply.body.results[0].version, null]);
});

test('it counts as one commit of its object’s type, as a use of every type it touches, and as a write of what it wrote', async () => {
  await commit(`${C}/c9`, [{ op: 'edge.put', edgeType: 'quiet', toId: 'm1' }]);
  const types = () => stack.console.shipments.flatMap((shipment) => shipment.types);
  const uses = () => stack.console.shipments.flatMap((shipment) => shipment.principals);
  await eventually('the counts came', () => uses().some(({ type }) => type === 'quiet'));
  const commits = (of: string) => types().filter(({ operation, type }) => operation === 'commit' && type === of);
  const sum = (of: string, what: 'count' | 'writes') => commits(of).reduce((all, one) => all + (one[what] ?? 0), 0);
  expect(sum('Conversation', 'count')).toBeGreaterThan(0);
  expect(sum('quiet', 'count')).toBe(0);
  expect(sum('quiet', 'writes')).toBeGreaterThan(0);
});
