import { expect, onTestFinished, test } from 'vitest';
import { type Catalog, createClient, type RequestNote } from '#gateway/client/client.ts';
import { chatTypes } from './chat-types.ts';
import { answer, refuse, type Script, scripted } from './scripted-gateway.ts';

const message = { type: 'Message', id: 'm' } as const;
const pin = { from: { type: 'Conversation', id: 'c' }, type: 'pins', to: message } as const;
const written = { id: 'm', version: '1', created: true };

async function clientOf(script: Script, over: { deadlineMs?: number; batchReads?: boolean } = {}) {
  const server = await scripted(script);
  const notes: RequestNote[] = [];
  const client = createClient({
    ...{ types: chatTypes, endpoints: [server.url], tenant: 'chat', key: 'k', deadlineMs: 60_000 },
    ...{ onRequest: (note: RequestNote) => void notes.push(note), ...over },
  });
  onTestFinished(() => client.close());
  return { client, server, notes };
}

/** Does each thing in turn, and the last of them from then on. */
function inTurn(...scripts: readonly Script[]): Script {
  let turn = 0;
  return (request, response) => {
    const script = scripts[Math.min(turn, scripts.length - 1)];
    turn += 1;
    return script?.(request, response);
  };
}

const reset: Script = (request) => void request.socket.destroy();
const found: Script = (_request, response) => answer(response, {}, { etag: '"v1"' });
const page: Script = (_request, response) =>
  void response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad Gateway</h1>');
const halfReply: Script = (request, response) => {
  response.writeHead(200, { 'content-length': '100', 'habitat-request-id': 'x' }).write('{"half":');
  setImmediate(() => request.socket.destroy());
};
const refusal =
  (status: number, code: string, more: object = {}): Script =>
  (_request, response) =>
    refuse(response, status, { code, ...more });

test.each([
  ['a connection that breaks', reset],
  ['half a reply', halfReply],
  ["a proxy's page", page],
  ['a gateway without a release', refusal(503, 'release_unavailable')],
  ['an overloaded one', refusal(503, 'overloaded')],
  ['a quota that is full again at once', refusal(429, 'quota_exceeded', { retryAfterMs: 1 })],
])('a read that meets %s is made again, and a write with its own key', async (_what, fault) => {
  const reading = await clientOf(inTurn(fault, found));
  expect((await reading.client.objects.get(message))?.version).toBe('v1');
  expect(reading.server.seen).toHaveLength(2);
  expect(reading.notes).toMatchObject([{ attempts: 2, code: null }]);
  const writing = await clientOf(inTurn(fault, (_request, response) => answer(response, written)));
  expect(await writing.client.objects.put(message, { text: 'x' })).toMatchObject({ created: true });
  const keys = writing.server.seen.map(({ headers }) => headers['idempotency-key']);
  expect(keys).toHaveLength(2);
  expect(new Set(keys).size).toBe(1);
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
});

test('a write whose outcome is unknown is sent again with its key', async () => {
  const { client, server } = await clientOf(
    inTurn(refusal(504, 'outcome_unknown'), (_request, response) =>
      answer(response, { ...written, toId: 'm', time: 1 }),
    ),
  );
  expect(await client.edges.put(pin, { data: 'x' })).toMatchObject({ to: message, created: true });
  const [first, second] = server.seen;
  expect(second?.headers['idempotency-key']).toBe(first?.headers['idempotency-key']);
  expect(second?.body).toBe(first?.body);
});

test('a write without a key is sent once, and its failure says that it may have happened', async () => {
  const { client, server } = await clientOf(reset);
  const error = await client.objects.put(message, { text: 'x' }, { idempotencyKey: null }).catch((thrown) => thrown);
  expect(error).toMatchObject({ code: 'outcome_unknown', mayHaveWritten: true, idempotencyKey: null, attempts: 1 });
  expect(server.seen).toHaveLength(1);
  expect(server.seen[0]?.headers['idempotency-key']).toBeUndefined();
});

test("a refusal that the caller's doing alone would change is not repeated", async () => {
  for (const [status, code] of [
    [403, 'forbidden'],
    [400, 'malformed_request'],
    [409, 'write_contended'],
    [500, 'internal'],
  ] as const) {
    const { client, server } = await clientOf(refusal(status, code));
    await expect(client.objects.get(message)).rejects.toMatchObject({ code, status });
    expect(server.seen).toHaveLength(1);
  }
});

test('a code that the client does not know is told as it is', async () => {
  const { client } = await clientOf(refusal(418, 'brand_new', { retryable: false }));
  const error = await client.objects.get(message).catch((thrown) => thrown);
  expect(error).toMatchObject({ code: 'unrecognized', status: 418, retryable: false });
  expect(error.message).toContain('brand_new');
});

test('nothing is sent again when the wait that was asked for passes the deadline', async () => {
  const { client, server } = await clientOf(refusal(429, 'quota_exceeded', { retryAfterMs: 120_000 }));
  await expect(client.objects.get(message)).rejects.toMatchObject({ code: 'quota_exceeded', retryAfterMs: 120_000 });
  expect(server.seen).toHaveLength(1);
});

test("Retry-After of a proxy's 429 is honoured", async () => {
  const { client, server } = await clientOf(
    (_request, response) =>
      void response.writeHead(429, { 'retry-after': '600', 'content-type': 'text/plain' }).end('slow down'),
  );
  await expect(client.objects.get(message)).rejects.toMatchObject({ code: 'unreadable_reply', retryAfterMs: 600_000 });
  expect(server.seen).toHaveLength(1);
});

test('a reply that does not come ends with the deadline: a read as such, a write as unknown', async () => {
  let isSilent = false;
  const { client, server } = await clientOf((request, response) => (isSilent ? undefined : found(request, response)));
  // Connections that are up, so that the deadline is spent on the reply alone.
  await Promise.all([client.objects.get(message), client.objects.get({ ...message, id: 'other' })]);
  isSilent = true;
  const short = client.with({ deadlineMs: 2_000 });
  const read = short.objects.get(message);
  const write = short.objects.put(message, { text: 'x' });
  await Promise.all([
    expect(read).rejects.toMatchObject({ code: 'deadline_exceeded', mayHaveWritten: false }),
    expect(write).rejects.toMatchObject({
      ...{ code: 'outcome_unknown', mayHaveWritten: true, idempotencyKey: expect.any(String) },
    }),
  ]);
  const sent = server.seen.slice(2).map(({ headers }) => Number(headers['habitat-deadline-ms']));
  expect(sent).toHaveLength(2);
  // A gateway that answers when its deadline passes is heard before ours does.
  for (const deadlineMs of sent) expect(deadlineMs).toBeLessThanOrEqual(1_950);
});

test('a body that trickles ends with the deadline', async () => {
  const { client } = await clientOf(
    (_request, response) => {
      response.writeHead(200, { 'content-length': '1000', 'habitat-request-id': 'x' });
      const drip = setInterval(() => response.write('.'), 20);
      response.on('close', () => clearInterval(drip));
    },
    { deadlineMs: 300 },
  );
  await expect(client.objects.get(message)).rejects.toMatchObject({ code: 'deadline_exceeded' });
});

test('the caller gives up at once, in flight and while waiting', async () => {
  const abort = new AbortController();
  const { client } = await clientOf(() => abort.abort());
  await expect(client.objects.get(message, { signal: abort.signal })).rejects.toMatchObject({
    ...{ code: 'aborted', retryable: false },
  });
  const waiting = new AbortController();
  const other = await clientOf((_request, response) => {
    refuse(response, 503, { code: 'overloaded', retryAfterMs: 50_000 });
    response.on('close', () => setImmediate(() => waiting.abort()));
  });
  await expect(other.client.objects.get(message, { signal: waiting.signal })).rejects.toMatchObject({
    code: 'aborted',
  });
  const before = new AbortController();
  before.abort();
  await expect(client.objects.get(message, { signal: before.signal })).rejects.toMatchObject({ code: 'aborted' });
});

test('a service that fails meets at most a fifth more requests, and four of one call', async () => {
  const { client, server } = await clientOf(refusal(503, 'store_unavailable'));
  await expect(client.objects.get(message)).rejects.toMatchObject({ code: 'store_unavailable', attempts: 4 });
  const calls = 600;
  for (let done = 0; done < calls; done += 50) {
    await Promise.all(Array.from({ length: 50 }, () => client.objects.get(message).catch(() => undefined)));
  }
  expect(server.seen.length / (calls + 1)).toBeLessThan(1.2);
  expect(server.seen.length).toBeGreaterThan(calls);
});

test('trace, consistency, session and key go out, and the session of the reply is carried on', async () => {
  let turn = 0;
  const { client, server } = await clientOf((_request, response) => {
    turn += 1;
    answer(response, { count: 3 }, { 'habitat-session': `s${turn}` });
  });
  const traced = client.with({ traceparent: () => '00-abc-def-01', consistency: 'critical' });
  await traced.edges.count(pin);
  await traced.edges.count(pin, { consistency: 'eventual' });
  await client.edges.count(pin, { session: null });
  await Promise.all([client.edges.count(pin), client.edges.count(pin)]);
  await client.edges.count(pin);
  const sent = server.seen.map(({ headers }) => [
    headers.traceparent,
    headers['habitat-consistency'],
    headers['habitat-session'],
  ]);
  expect(sent).toEqual([
    ['00-abc-def-01', 'critical', undefined],
    ['00-abc-def-01', 'eventual', 's1'],
    [undefined, undefined, undefined],
    [undefined, undefined, 's2'],
    [undefined, undefined, 's2'],
    // Two replies side by side: neither saw what the other did.
    [undefined, undefined, expect.stringMatching(/^s[45],s[45]$/)],
  ]);
  expect(server.seen[0]?.headers.authorization).toBe('Bearer k');
});

test('one read of a batch that is refused for now goes on alone; its neighbours do not wait for it', async () => {
  const { client, server } = await clientOf(
    (request, response) => {
      if (request.method === 'GET') return answer(response, { count: 7 });
      const [, ...rest] = (JSON.parse(request.body) as { operations: unknown[] }).operations;
      const refused = { status: 503, requestId: 'x', error: { code: 'overloaded', message: '', retryable: true } };
      answer(response, {
        results: [refused, ...rest.map(() => ({ status: 200, requestId: 'x', body: { count: 1 } }))],
      });
    },
    { batchReads: true },
  );
  const counts = ['a', 'b', 'c'].map((id) => client.edges.count({ ...pin, from: { ...pin.from, id } }));
  expect(await Promise.all(counts)).toEqual([7, 1, 1]);
  expect(server.seen.map(({ method }) => method)).toEqual(['POST', 'GET']);
});

test('a batch of reads that breaks is made again as a whole; each promise fails by itself when it fails', async () => {
  const reads = (client: Awaited<ReturnType<typeof clientOf>>['client']) =>
    Promise.allSettled(['a', 'b'].map((id) => client.objects.get({ ...message, id })));
  const results = { results: [1, 2].map(() => ({ status: 404, requestId: 'x', error: { code: 'object_not_found' } })) };
  const back = await clientOf(
    inTurn(reset, (_request, response) => answer(response, results)),
    { batchReads: true },
  );
  expect(await reads(back.client)).toEqual([
    { status: 'fulfilled', value: null },
    { status: 'fulfilled', value: null },
  ]);
  const gone = await clientOf(refusal(403, 'forbidden'), { batchReads: true });
  expect(await reads(gone.client)).toMatchObject([
    { status: 'rejected', reason: { code: 'forbidden' } },
    { status: 'rejected', reason: { code: 'forbidden' } },
  ]);
});

test('what cannot be sent is told where it was called', async () => {
  const { client, server } = await clientOf(found);
  const { batch, operations } = client;
  expect(() => batch(Array.from({ length: 101 }, () => operations.objects.get(message)))).toThrow(RangeError);
  expect(await batch([])).toEqual([]);
  await expect(client.objects.put(message, { json: undefined })).rejects.toThrow(TypeError);
  const bad = { ...chatTypes, tenant: 'chat', types: chatTypes };
  for (const endpoints of [[], ['ftp://x'], ['http://x/path'], ['nonsense']]) {
    expect(() => createClient<Catalog>({ ...bad, endpoints, key: 'k' })).toThrow(TypeError);
  }
  const broken = createClient<Catalog>({ ...bad, endpoints: [server.url], key: 'line\nbreak' });
  await expect(broken.objects.get(message)).rejects.toThrow(TypeError);
  expect(server.seen).toHaveLength(0);
});
