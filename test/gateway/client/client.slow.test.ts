import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, createClient, createSession, HabitatError, type RequestNote } from '#gateway/client/client.ts';
import { edgeType, exampleItems, makeKey, objectType } from '#test/gateway/fixtures/definitions.ts';
import { type Stack, startStack } from '#test/gateway/fixtures/stack.ts';
import { type ChatTypes, chatTypes } from './chat-types.ts';

const key = makeKey('chat-api');
const notes: RequestNote[] = [];
let stack: Stack;
let client: Client<ChatTypes>;

const settings = () => ({
  ...{ types: chatTypes, endpoints: [stack.gateway.url], tenant: 'chat', key: key.token },
  // A test that is not about deadlines meets none on a slow machine.
  deadlineMs: 60_000,
});

beforeAll(async () => {
  const items = exampleItems(key);
  const schema = JSON.stringify({
    type: 'object',
    properties: { name: { type: 'string' }, age: { type: 'integer' } },
    required: ['name'],
  });
  items.objectType.push(objectType('Profile', { contentSchema: { mode: 'warn', schema } }));
  items.edgeType.push(edgeType('pins', 'Conversation', 'Message'), edgeType('stars', 'Conversation', 'Message'));
  stack = await startStack(items);
  client = createClient({ ...settings(), onRequest: (note) => void notes.push(note) });
});
afterAll(async () => {
  await client?.close();
  await stack?.stop();
});

describe('objects', () => {
  it('are what was put, in each of the three forms, and null when there is nothing', async () => {
    const ref = client.ref('Message', 'a/b?c#d%e: ü😀');
    expect(await client.objects.get(ref)).toBe(null);
    const first = await client.objects.put(ref, { json: { hello: ['world'] } });
    expect(first).toMatchObject({ conflict: null, ref, created: true, misfit: null });
    const found = await client.objects.get(ref);
    expect(found?.json()).toEqual({ hello: ['world'] });
    expect(found).toMatchObject({ version: first.version, contentType: 'application/json' });
    await client.objects.put(ref, { text: 'plain' });
    expect((await client.objects.get(ref))?.text()).toBe('plain');
    const bytes = new Uint8Array([0, 255, 128, 34]);
    await client.objects.put(ref, { bytes, contentType: 'image/x' });
    const binary = await client.objects.get(ref);
    expect(binary?.bytes).toEqual(Buffer.from(bytes));
    expect(binary?.contentType).toBe('image/x');
    expect(await client.objects.delete(ref)).toEqual({ conflict: null, deleted: true, sweeping: false });
    expect(await client.objects.delete(ref)).toMatchObject({ deleted: false });
    expect(await client.objects.get(ref)).toBe(null);
  });

  it('a precondition that does not hold is an answer, and a version that is known carries no content', async () => {
    const ref = client.ref('Message', 'conditional');
    const { version } = await client.objects.put(ref, { text: 'one' });
    expect(await client.objects.put(ref, { text: 'two' }, { ifAbsent: true })).toEqual({ conflict: 'already_exists' });
    expect(await client.objects.get(ref, { ifNoneMatch: version })).toBe('unchanged');
    const second = await client.objects.put(ref, { text: 'two' }, { ifMatch: version });
    expect(second.conflict).toBe(null);
    expect(await client.objects.put(ref, { text: 'three' }, { ifMatch: version })).toEqual({
      conflict: 'version_conflict',
    });
    expect(await client.objects.delete(ref, { ifMatch: version })).toEqual({ conflict: 'version_conflict' });
    const found = await client.objects.get(ref, { ifNoneMatch: version });
    expect(found !== 'unchanged' && found?.text()).toBe('two');
  });

  it('are created under an id of the gateway, and content that does not fit is told', async () => {
    const made = await client.objects.create('Profile', { json: { name: 'Ana' } });
    expect((await client.objects.get(made.ref))?.json().name).toBe('Ana');
    const wrong = { json: { name: 7 } } as unknown as { json: { name: string } };
    expect((await client.objects.create('Profile', wrong)).misfit).toEqual({
      path: '/name',
      reason: expect.any(String),
    });
  });
});

describe('edges', () => {
  const conversation = { type: 'Conversation', id: 'edges' } as const;
  const pins = { from: conversation, type: 'pins' } as const;
  const to = (id: string) => ({ type: 'Message', id }) as const;

  it('are put, read, counted, changed and deleted', async () => {
    const edge = { ...pins, to: to('m/1') };
    expect(await client.edges.get(edge)).toBe(null);
    expect(await client.edges.changeType(edge, 'stars')).toBe(null);
    expect(await client.edges.put(edge, { time: 5, data: 'x' })).toMatchObject({
      to: to('m/1'),
      time: 5,
      created: true,
    });
    expect(await client.edges.get(edge)).toMatchObject({ to: to('m/1'), time: 5, data: 'x' });
    await client.edges.put({ ...pins, to: to('m2') }, { time: 6 });
    expect(await client.edges.count(pins)).toBe(2);
    const some = await client.edges.getMany(pins, [to('none'), to('m2'), to('m/1')], { before: 5 });
    expect(some.map((found) => found.to.id)).toEqual(['m/1']);
    const moved = await client.edges.changeType(edge, 'stars');
    expect(moved).toMatchObject({ to: to('m/1'), type: 'stars', time: 5, replaced: false });
    expect(await client.edges.delete({ ...pins, to: to('m2') })).toEqual({ deleted: true });
    expect(await client.edges.count(pins)).toBe(0);
  });

  it('a hundred long ids are asked for, though no path is that long', async () => {
    const ids = Array.from({ length: 100 }, (_, index) => to(`${'ü'.repeat(120)}${index}`));
    await client.batch(ids.slice(0, 20).map((one) => client.operations.edges.put({ ...pins, to: one })));
    expect(await client.edges.getMany(pins, ids)).toHaveLength(20);
  });

  it('are walked to their end or to the bound, and no page is asked for that nobody wants', async () => {
    const from = { type: 'Conversation', id: 'walk' } as const;
    const walk = { from, type: 'messages' } as const;
    const puts = Array.from({ length: 25 }, (_, index) =>
      client.operations.edges.put({ ...walk, to: to(`w${index}`) }, { time: index }),
    );
    await client.batch(puts);
    const ids: string[] = [];
    for await (const edge of client.edges.iterate(walk, { atMost: 1_000, pageSize: 10 })) ids.push(edge.to.id);
    expect(ids).toEqual(Array.from({ length: 25 }, (_, index) => `w${24 - index}`));
    let bounded = 0;
    for await (const edge of client.edges.iterate(walk, { atMost: 12, pageSize: 10 }))
      bounded += Number(edge.time >= 0);
    expect(bounded).toBe(12);
    const { bill } = await client.explain(async (heard) => {
      for await (const edge of heard.edges.iterate(walk, { atMost: 1_000, pageSize: 5 })) {
        if (edge.to.id === 'w21') break;
      }
    });
    expect(bill.pages).toBe(1);
    const page = await client.edges.list(walk, { limit: 10, pos: 20 });
    expect(page).toMatchObject({ cursor: null, more: false, limitClamped: false });
    expect(page.edges).toHaveLength(5);
  });
});

it('operations of a batch have their own outcomes, in order', async () => {
  const { objects, edges } = client.operations;
  const message = client.ref('Message', 'batched');
  const from = client.ref('Conversation', 'batched');
  const [put, got, absent, conflict, edge, page, count, forbidden] = await client.batch([
    objects.put(message, { json: [1] }),
    objects.get(message),
    objects.get(client.ref('Message', 'nobody')),
    objects.put(message, { text: '' }, { ifAbsent: true }),
    edges.put({ from, type: 'pins', to: message }),
    edges.list({ from, type: 'pins' }, { limit: 3 }),
    edges.count({ from, type: 'pins' }),
    objects.get({ type: 'Nothing' as 'Message', id: 'x' }),
  ]);
  expect(put.ok && put.value.created).toBe(true);
  expect(got.ok && got.value?.json()).toEqual([1]);
  expect(absent).toEqual({ ok: true, value: null });
  expect(conflict).toEqual({ ok: true, value: { conflict: 'already_exists' } });
  expect(edge.ok && edge.value.to).toEqual(message);
  expect(page.ok && page.value.edges.map((one) => one.to)).toEqual([message]);
  expect(count).toEqual({ ok: true, value: 1 });
  expect(!forbidden.ok && forbidden.error.code).toBe('unknown_type');
});

it('a commit takes effect as a whole, or says which part stood against it', async () => {
  const from = client.ref('Conversation', 'committed');
  const message = client.ref('Message', 'committed');
  const write = (text: string) =>
    client.commit(from, (part) => [
      part.put({ text }, { ifAbsent: true }),
      part.putEdge({ type: 'pins', to: message }, { data: text }),
      part.putEdge({ type: 'messages', to: message }),
      part.deleteEdge({ type: 'messages', to: message }),
    ]);
  const first = await write('one');
  if (first.conflict !== null) throw new Error(first.conflict);
  const [object, edge, , gone] = first.results;
  expect([object.created, edge.to, gone.deleted]).toEqual([true, message, true]);
  expect(await write('two')).toEqual({ conflict: 'already_exists', operation: 0 });
  expect((await client.edges.get({ from, type: 'pins', to: message }))?.data).toBe('one');
});

describe('failures', () => {
  it('are one class, with what the gateway said', async () => {
    const stranger = createClient({ ...settings(), key: () => Promise.resolve('hk_nobody') });
    const error = await stranger.objects.get(client.ref('Message', 'x')).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(HabitatError);
    expect(error).toMatchObject({
      ...{ code: 'unauthenticated', status: 401, retryable: false, operation: 'object.get', attempts: 1 },
      ...{ requestId: expect.any(String), help: expect.stringContaining('/requests/'), mayHaveWritten: false },
    });
    await stranger.close();
  });

  it('the same key means the same write, whoever sends it, and another write with it is refused', async () => {
    const other = createClient(settings());
    const put = (text: string) => other.objects.create('Message', { text }, { idempotencyKey: 'order-17' });
    const first = await put('x');
    expect(await put('x')).toEqual(first);
    await expect(put('y')).rejects.toMatchObject({ code: 'idempotency_conflict', idempotencyKey: 'order-17' });
    await other.close();
  });
});

it('what was read is carried on: through another client with the session, and as a text', async () => {
  const session = createSession();
  const mine = client.with({ session });
  const ref = client.ref('Message', 'session');
  await mine.objects.put(ref, { text: 'seen' });
  expect(session.header()).toMatch(/^[A-Za-z0-9_-]+$/);
  const others = ['session-1', 'session-2'].map((id) => client.ref('Message', id));
  await Promise.all(others.map((one) => mine.objects.put(one, { text: one.id })));
  // Neither reply saw what the other wrote: both are carried, until one reply covers them.
  expect(session.header()).toMatch(/^[A-Za-z0-9_-]+,[A-Za-z0-9_-]+$/);
  expect((await mine.objects.get(ref))?.text()).toBe('seen');
  expect(session.header()).toMatch(/^[A-Za-z0-9_-]+$/);
  const elsewhere = createClient({ ...settings(), session: createSession(String(session)) });
  expect((await elsewhere.objects.get(ref))?.text()).toBe('seen');
  await elsewhere.close();
});

it('a session that gateways do not know any more is dropped, and the call goes on without', async () => {
  const session = createSession('AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA');
  const mine = client.with({ session });
  const puts = ['forgotten-1', 'forgotten-2'].map((id) => mine.objects.put(client.ref('Message', id), { text: '' }));
  expect((await Promise.all(puts)).map(({ created }) => created)).toEqual([true, true]);
  expect(String(session)).not.toContain('AQAAAA');
  for (let index = 0; index < puts.length; index += 1) expect(notes.pop()?.attempts).toBe(2);
});

it('reads of one turn are one request, and equal ones are asked once', async () => {
  const gathering = createClient({ ...settings(), batchReads: true });
  const refs = Array.from({ length: 130 }, (_, index) => client.ref('Message', `many-${index % 120}`));
  await Promise.all(refs.slice(0, 50).map((ref) => client.objects.put(ref, { text: ref.id })));
  const { result, bill } = await gathering.explain((heard) => Promise.all(refs.map((ref) => heard.objects.get(ref))));
  expect(result.filter((found) => found !== null)).toHaveLength(60);
  expect(result[120]).toBe(result[0]);
  expect(bill).toMatchObject({
    calls: 120,
    requests: 2,
    retries: 0,
    lines: [{ operation: 'object.get', ru: 'in batches' }],
  });
  const both = { from: client.ref('Conversation', 'x'), type: 'pins' } as const;
  const to = client.ref('Message', 'x');
  expect(await Promise.all([gathering.edges.get({ ...both, to }), gathering.edges.getMany(both, [to])])).toEqual([
    null,
    [],
  ]);
  await expect(
    Promise.all([gathering.objects.get(to), gathering.objects.get({ type: 'Nothing' as 'Message', id: '' })]),
  ).rejects.toMatchObject({ code: 'malformed_request' });
  await gathering.close();
});

it('a bill says what a loop took, and a plan what it is going to', async () => {
  const walk = { from: client.ref('Conversation', 'walk'), type: 'messages' } as const;
  const { bill } = await client.explain(async (heard) => {
    for await (const { to } of heard.edges.iterate(walk, { atMost: 4 })) await heard.objects.get(to);
  });
  expect(bill).toMatchObject({ calls: 5, requests: 5, pages: 1, rounds: 5, retries: 0, accounts: 'unknown' });
  expect(bill.ru).toBeGreaterThan(4);
  expect(String(bill)).toMatch(/edge\.list messages +1 +\d+\.\d\nobject\.get Message +4 +\d+\.\d\ntotal +5/);
  const plan = client.plan([{ list: 'messages', fanOut: 4 }, { read: 'Message' }]);
  expect(plan).toMatchObject({ calls: 5, requests: 5, rounds: 2, pages: 1 });
  expect(String(plan)).toContain('a forecast');
  expect(() => client.plan([{ list: 'messages', fanOut: 4 }, { count: 'pins' }])).toThrow('the loop is at Message');
});

it('each request is told once, with its price and its ids', () => {
  expect(notes.length).toBeGreaterThan(50);
  for (const note of notes) {
    expect(note).toMatchObject({ requestId: expect.any(String), release: 'r1', endpoint: stack.gateway.url });
    expect(note.attempts).toBe(1);
  }
});
