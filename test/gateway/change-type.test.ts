import { afterAll, beforeAll, expect, test } from 'vitest';
import { BatchResults } from '#gateway/contract/data-api.ts';
import { edgeType, exampleItems, makeKey, principal } from '#test/gateway/fixtures/definitions.ts';
import { eventually } from '#test/gateway/fixtures/eventually.ts';
import { caller } from '#test/gateway/fixtures/gateway.ts';
import { type Stack, startStack } from '#test/gateway/fixtures/stack.ts';

const key = makeKey('chat-api');
const clerkKey = makeKey('clerk');
const C = '/objects/Conversation';
let stack: Stack;
let call: ReturnType<typeof caller>;

beforeAll(async () => {
  const items = exampleItems(key);
  items.edgeType.push(
    edgeType('pins', 'Conversation', 'Message', { inverse: 'pinnedIn' }),
    edgeType('pinnedIn', 'Message', 'Conversation', { derivedFrom: 'pins' }),
    edgeType('drafts', 'Conversation', 'Message', { dataMaxBytes: 4, audit: { reads: 'none', writes: 'none' } }),
    edgeType('links', 'Conversation', 'Conversation'),
    edgeType('old', 'Conversation', 'Message', {
      lifecycle: { state: 'deprecated-error', since: '2026-12-01', replacement: 'pins' },
    }),
  );
  items.principal.push(principal('clerk', { groups: ['clerks'], tenant: 'chat', actorKind: 'agent' }));
  items.key.push(clerkKey.item);
  items.policy.push({
    name: 'clerks-pin',
    ownerTeam: 'chat',
    cedar:
      'permit (principal == Agent::"clerk", action in [Action::"edge.write", Action::"edge.read"], resource == EdgeType::"pins");',
  });
  items.policy.push({
    name: 'clerks-take-drafts',
    ownerTeam: 'chat',
    cedar: 'permit (principal == Agent::"clerk", action, resource == EdgeType::"drafts");',
  });
  stack = await startStack(items);
  call = caller(stack.gateway.url, key.token);
});
afterAll(() => stack?.stop());

const change = (from: string, edge: string, to: string, headers: Record<string, string> = {}) =>
  call('POST', `${C}/${from}/edges/${edge}:changeType`, { body: JSON.stringify({ to }), headers });

async function counts(from: string, ...types: string[]): Promise<number[]> {
  const asked = types.map(async (type) => (await call('GET', `${C}/${from}/edges/${type}:count`)).body.count);
  return Promise.all(asked);
}

test('T4: an edge changes its type in both directions, and all counts follow', async () => {
  await call('PUT', `${C}/c1/edges/messages/m1`, { body: '{"time":7,"data":"note"}' });
  const moved = await change('c1', 'messages/m1', 'pins');
  expect(moved.status).toBe(200);
  expect(moved.body).toEqual({
    ...{ toId: 'm1', edgeType: 'pins', time: 7, replaced: false },
    version: expect.stringMatching(/^[0-9a-z]+$/),
  });
  expect(await counts('c1', 'messages', 'pins')).toEqual([0, 1]);
  const edge = await call('GET', `${C}/c1/edges/pins/m1`);
  expect(edge.body).toEqual({ toId: 'm1', time: 7, data: 'note', version: moved.body.version });
  const inverse = async (type: string) => (await call('GET', `/objects/Message/m1/edges/${type}`)).body.edges;
  expect(await inverse('inConversation')).toEqual([]);
  expect(await inverse('pinnedIn')).toMatchObject([{ toId: 'c1', time: 7, data: 'note' }]);
  await call('POST', '/objects/Message/m1/edges/pinnedIn/c1:changeType', { body: '{"to":"inConversation"}' });
  expect(await counts('c1', 'messages', 'pins')).toEqual([1, 0]);
  expect(await inverse('inConversation')).toMatchObject([{ toId: 'c1', time: 7, data: 'note' }]);
});

test('T13: repeated with its key it answers the same; the key is bound to the new type too', async () => {
  const headers = { 'idempotency-key': 'move-1' };
  await call('PUT', `${C}/c2/edges/messages/m1`, { body: '{"time":1}' });
  const first = await change('c2', 'messages/m1', 'pins', headers);
  expect(first.status).toBe(200);
  expect((await change('c2', 'messages/m1', 'pins', headers)).body).toEqual(first.body);
  expect((await change('c2', 'messages/m1', 'drafts', headers)).code).toBe('idempotency_conflict');
  expect((await change('c2', 'messages/m1', 'pins')).code).toBe('edge_not_found');
});

test.each([
  ['pins/none', 'drafts', 'edge_not_found'],
  ['pins/m1', 'ghosts', 'unknown_edge_type'],
  ['ghosts/m1', 'pins', 'unknown_edge_type'],
  ['pins/m1', 'links', 'edge_type_mismatch'],
  ['pins/m1', 'pinnedIn', 'edge_type_mismatch'],
  ['pins/m1', 'pins', 'malformed_request'],
  ['pins/m1', 'old', 'type_deprecated'],
  ['pins/m1', 'drafts', 'content_too_large'],
])('%s to %s is %s, and nothing moves', async (edge, to, code) => {
  await call('PUT', `${C}/c3/edges/pins/m1`, { body: '{"time":1,"data":"four and more"}' });
  expect((await change('c3', edge, to)).code).toBe(code);
  expect(await counts('c3', 'pins', 'drafts')).toEqual([1, 0]);
});

test.each(['', '{}', '{"to":1}', '{"to":"pins","to":"pins"}', '{"to":"pins","x":1}', `{"to":"${'x'.repeat(600)}"}`])(
  'the body %j is refused',
  async (body) => {
    const refused = await call('POST', `${C}/c3/edges/messages/m1:changeType`, { body });
    expect(['malformed_request', 'request_too_large']).toContain(refused.code);
    expect(refused.headers.get('habitat-ru')).toBe('0');
  },
);

test('it is a POST, and an id that ends like it stays an id', async () => {
  const id = 'm:changeType';
  const put = await call('PUT', `${C}/c5/edges/messages/${id}`, { body: '{"time":1}' });
  expect(put.body).toMatchObject({ toId: id });
  expect((await change('c5', `messages/${encodeURIComponent(id)}`, 'pins')).body).toMatchObject({ toId: id });
  expect((await call('POST', `${C}/c5/edges/messages/m1`, { body: '{}' })).code).toBe('unsupported_operation');
});

test('it needs the right to take from one type and to write the other', async () => {
  const clerk = caller(stack.gateway.url, clerkKey.token);
  const moves = (edge: string, to: string) =>
    clerk('POST', `${C}/c6/edges/${edge}/m1:changeType`, { body: JSON.stringify({ to }) });
  await call('PUT', `${C}/c6/edges/drafts/m1`, { body: '{"time":1}' });
  expect((await moves('drafts', 'pins')).status).toBe(200);
  const refused = await moves('pins', 'drafts');
  expect(refused.code).toBe('forbidden');
  expect(refused.error?.details?.needed).toMatchObject({
    action: 'Action::"edge.delete"',
    resource: 'EdgeType::"pins"',
  });
  expect(await counts('c6', 'drafts', 'pins')).toEqual([0, 1]);
});

test('in a batch it is one operation among others', async () => {
  const C7 = { type: 'Conversation', id: 'c7' };
  const operations = [
    { op: 'edge.put', ...C7, edgeType: 'messages', toId: 'm1', time: 3 },
    { op: 'edge.changeType', ...C7, edgeType: 'messages', toId: 'm1', to: 'pins' },
    { op: 'edge.changeType', ...C7, edgeType: 'messages', toId: 'm1', to: 'pins' },
    { op: 'edge.count', ...C7, edgeType: 'pins' },
  ];
  const reply = await call('POST', '/batch', { body: JSON.stringify({ operations }) });
  const { results } = BatchResults.parse(reply.body);
  expect(results.map(({ status }) => status)).toEqual([201, 200, 404, 200]);
  expect(results[1]?.body).toMatchObject({ toId: 'm1', edgeType: 'pins', time: 3 });
  expect(results[3]?.body).toEqual({ count: 1 });
});

test('the audit has an intent and an outcome for each type that is audited', async () => {
  await call('PUT', `${C}/c8/edges/messages/m1`, { body: '{"time":1}' });
  const ids = new Map<string, string | null>();
  for (const to of ['pins', 'drafts']) {
    const moved = await change('c8', to === 'pins' ? 'messages/m1' : 'pins/m1', to);
    expect(moved.status).toBe(200);
    ids.set(to, moved.headers.get('habitat-request-id'));
  }
  const rowsOf = (to: string) =>
    stack.console.auditRows
      .filter(({ requestId }) => requestId === ids.get(to))
      .map(({ phase, edgeType: type, toId, version }) => `${phase} ${type} ${toId} ${version === null ? '-' : 'v'}`);
  await eventually('the rows came', () => rowsOf('pins').length === 4 && rowsOf('drafts').length === 2);
  expect(rowsOf('pins')).toEqual([
    ...['intent messages m1 -', 'intent pins m1 -'],
    ...['outcome messages m1 -', 'outcome pins m1 v'],
  ]);
  expect(rowsOf('drafts')).toEqual(['intent pins m1 -', 'outcome pins m1 -']);
});

test('its time and cost count under the type that the edge leaves; both types are used', async () => {
  const shipped = () => stack.console.shipments.flatMap(({ types }) => types);
  const uses = () => stack.console.shipments.flatMap(({ principals }) => principals);
  // Each worker ships by itself, when its time has come.
  await eventually('what was served is counted under the type that is left', () =>
    shipped().some((one) => one.operation === 'edge.changeType' && one.outcome === 'served' && one.type === 'messages'),
  );
  await eventually('the other type is used', () => uses().some(({ type }) => type === 'drafts'));
});
