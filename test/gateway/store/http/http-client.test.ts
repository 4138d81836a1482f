import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { type Container, CosmosClient } from '@azure/cosmos';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Fault, faultOf } from '#gateway/store/errors.ts';
import { createAttemptScopes, type WireAttempt } from '#gateway/store/http/attempt-scope.ts';
import { createFreeList } from '#gateway/store/http/free-list.ts';
import { createHttpClient } from '#gateway/store/http/http-client.ts';
import { replyOf, startRawServer } from '#test/gateway/store/http/raw-server.ts';

interface Outcome {
  /** What the SDK made of the reply: a value, or the fault that its error was read as. */
  readonly value?: unknown;
  readonly fault?: Fault;
  readonly attempts: readonly WireAttempt[];
  readonly sessionToken: string | null;
}

type Work = (container: Container, signal: AbortSignal) => Promise<unknown>;

const readItem: Work = async (container, abortSignal) => {
  const { statusCode, substatus, resource } = await container.item('i', 'p').read({ abortSignal });
  return { statusCode, substatus, resource };
};

/** One operation of the unmodified SDK over our transport against a server that speaks these bytes. */
async function through(bytes: string | Buffer | null | 'refuse' | 'reset', work: Work = readItem): Promise<Outcome> {
  const server = await startRawServer((request) => {
    if (bytes !== 'reset') return bytes;
    request.socket.resetAndDestroy();
    return null;
  });
  if (bytes === 'refuse') await server.close();
  return runAt(server.origin, work);
}

async function runAt(origin: string, work: Work = readItem): Promise<Outcome> {
  const scopes = createAttemptScopes();
  const list = createFreeList({ origin, maxConnections: 4, now: Date.now, random: () => 0 });
  const client = new CosmosClient({
    ...{ endpoint: origin, key: 'a2V5', httpClient: createHttpClient(list, scopes) },
    connectionPolicy: {
      enableEndpointDiscovery: false,
      enableBackgroundEndpointRefreshing: false,
      retryOptions: { maxRetryAttemptCount: 0, fixedRetryIntervalInMilliseconds: 0, maxWaitTimeInSeconds: 0 },
    },
  });
  onTestFinished(async () => {
    client.dispose();
    await list.close();
  });
  const attempts: WireAttempt[] = [];
  const signal = AbortSignal.timeout(1_000);
  const meter = { add: (attempt: WireAttempt) => void attempts.push(attempt) };
  const scope = { meter, signal, wasLent: false, wasSent: false, sessionToken: null };
  const container = client.database('d').container('c');
  try {
    const value = await scopes.run(scope, () => work(container, signal));
    return { value, attempts, sessionToken: scope.sessionToken };
  } catch (error) {
    return { fault: faultOf(error, scope.wasSent), attempts, sessionToken: scope.sessionToken };
  }
}

const broken = (message: RegExp, wasSent = true) => ({
  fault: { kind: 'broken', wasSent, message: expect.stringMatching(message) },
});
const replied = (status: number, subStatus = 0, retryAfterMs: number | null = null) => ({
  fault: { kind: 'reply', status, subStatus, retryAfterMs },
});

describe('a reply of Cosmos', () => {
  it('is metered with its status, sub-status and charge, and its session token kept', async () => {
    const headers = { 'x-ms-request-charge': '2.86', 'x-ms-session-token': '0:-1#7' };
    const outcome = await through(replyOf(200, '{"id":"i"}', headers));
    expect(outcome.value).toEqual({ statusCode: 200, substatus: undefined, resource: { id: 'i' } });
    expect(outcome.attempts).toEqual([
      { status: 200, subStatus: 0, ru: 2.86, us: expect.any(Number), retryAfterMs: null },
    ]);
    expect(outcome.sessionToken).toBe('0:-1#7');
  });

  it('that refuses is one attempt, charged, whatever the SDK would do by itself', async () => {
    for (const [status, subStatus] of [
      [403, 3],
      [404, 1002],
      [408, 0],
      [410, 1002],
      [429, 3200],
      [449, 0],
      [500, 0],
      [503, 0],
    ] as const) {
      const headers = { 'x-ms-substatus': String(subStatus), 'x-ms-request-charge': '0.38' };
      const write: Work = async (container, abortSignal) =>
        container.items.create({ id: 'i', pk: 'p' }, { abortSignal });
      const outcome = await through(replyOf(status, '{"code":"x","message":"y"}', headers), write);
      expect(outcome).toMatchObject(replied(status, subStatus));
      expect(outcome.attempts).toEqual([{ status, subStatus, ru: 0.38, us: expect.any(Number), retryAfterMs: null }]);
    }
  });

  it.each<[string, Record<string, string>, number | null]>([
    ['in milliseconds', { 'x-ms-retry-after-ms': '17' }, 17],
    ['not at all', {}, null],
    ["in HTTP's seconds", { 'retry-after': '2' }, 2_000],
    ['as a date', { 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' }, null],
    ['as nonsense', { 'x-ms-retry-after-ms': 'soon' }, null],
    ['as nothing', { 'x-ms-retry-after-ms': '' }, null],
    ['as less than nothing', { 'x-ms-retry-after-ms': '-5' }, null],
    ['for ever', { 'x-ms-retry-after-ms': '99999999999' }, 60_000],
    ['in both ways', { 'x-ms-retry-after-ms': '5', 'retry-after': '2' }, 5],
  ])('that says %s how long to wait is read with care', async (_, headers, retryAfterMs) => {
    const outcome = await through(replyOf(429, '{"message":"slow"}', headers));
    expect(outcome).toMatchObject(replied(429, 0, retryAfterMs));
    expect(outcome.attempts).toMatchObject([{ status: 429, retryAfterMs }]);
  });

  it('with senseless numbers is charged nothing', async () => {
    const headers = { 'x-ms-request-charge': '-7', 'x-ms-substatus': 'x' };
    expect((await through(replyOf(200, '{"id":"i"}', headers))).attempts).toMatchObject([{ ru: 0, subStatus: 0 }]);
  });
});

describe('a reply of something else', () => {
  it.each<[string, string, RegExp]>([
    ['nothing under 200', replyOf(200, ''), /answered 200 without JSON/],
    ['HTML under 200', replyOf(200, '<html>welcome</html>'), /answered 200 without JSON/],
    ['a word under 200', replyOf(200, '"ok"'), /answered 200 without JSON/],
    ['a cut-off body under 200', replyOf(200, '{"id":"i'), /JSON/],
    ['a redirect', replyOf(302, '', { location: '/login' }), /answered 302 without JSON/],
    ['a redirect with JSON', replyOf(307, '{"id":"i"}', { location: '/x' }), /answered 307 without JSON/],
    ['a shorter length than its body', replyOf(200, '{"id":"i"}', { 'content-length': '4' }), /JSON/],
    ['more than Cosmos ever sends', replyOf(200, `{"a":"${'x'.repeat(9 * 2 ** 20)}"}`), /longer than any/],
    ['no HTTP', 'SSH-2.0-OpenSSH_9.2\r\n\r\n', /does not speak HTTP/],
    ['a hundred and one', 'HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n', /127\.0\.0\.1:\d+/],
  ])('(%s) says nothing about what happened', async (_, bytes, message) => {
    const outcome = await through(bytes);
    expect(outcome).toMatchObject(broken(message));
    expect(outcome.attempts).toHaveLength(1);
  });

  it.each([
    ['HTML', '<html>bad gateway</html>'],
    ['nothing', ''],
    ['null', 'null'],
    ['a word', '"bad gateway"'],
    ['cut-off JSON', '{"message":'],
    ['JSON without a message', '{"error":"x"}'],
  ])('(%s under 502) is that status', async (_, body) => {
    expect(await through(replyOf(502, body))).toMatchObject(replied(502));
  });

  it('that ends before its length is broken', async () => {
    const server = await startRawServer(async (request) => {
      request.socket.end(replyOf(200, '{"id":"i"}', { 'content-length': '400' }));
      return null;
    });
    expect(await runAt(server.origin)).toMatchObject(broken(/closed the connection|another length/));
  });

  it('after a byte order mark is read', async () => {
    expect((await through(replyOf(200, '\uFEFF{"id":"i"}'))).value).toMatchObject({ resource: { id: 'i' } });
  });
});

describe('an exchange that breaks', () => {
  it('is one attempt with status 0, and says whether a byte was sent', async () => {
    const reset = await through('reset');
    expect(reset).toMatchObject(broken(/closed the connection before it answered/));
    expect(reset.attempts).toEqual([{ status: 0, subStatus: 0, ru: 0, us: expect.any(Number), retryAfterMs: null }]);
    const refused = await through('refuse');
    expect(refused).toMatchObject(broken(/Nothing listens on 127\.0\.0\.1:\d+\. \(ECONNREFUSED\)/, false));
    expect(refused.attempts).toMatchObject([{ status: 0 }]);
  });

  it('by a name that nobody knows says so', async () => {
    expect(await runAt('http://no-such-account.invalid')).toMatchObject(
      broken(/name of no-such-account\.invalid .*COSMOS_ENDPOINT|could not be looked up/, false),
    );
  });

  it('by a server without TLS says so', async () => {
    const server = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    expect(await runAt(`https://127.0.0.1:${port}`)).toMatchObject(
      broken(/does not speak TLS as it should .*https or http/, false),
    );
  });

  it('ends with its time, and leaves no connection in use', async () => {
    expect(await through(null)).toMatchObject(broken(/ran out of time/));
  });
});

it('a header never carries a second header', async () => {
  const server = await startRawServer(() => replyOf(200, '{"id":"i"}'));
  await runAt(server.origin, async (container, abortSignal) => {
    const sessionToken = '0:1\r\nx-ms-consistency-level: Eventual';
    return (await container.item('i', 'p').read({ abortSignal, sessionToken })).resource;
  });
  expect(server.requests).toHaveLength(1);
  expect(server.requests[0]?.head).toMatch(/^x-ms-session-token: 0:1x-ms-consistency-level: Eventual$/im);
  expect(server.requests[0]?.head).not.toMatch(/^x-ms-consistency-level/im);
});

it('a query of one partition is one request: its plan is answered here', async () => {
  const server = await startRawServer(() => replyOf(200, '{"Documents":[{"id":"i"}],"_count":1}'));
  const outcome = await runAt(server.origin, async (container, abortSignal) => {
    const iterator = container.items.query<unknown>('SELECT * FROM c ORDER BY c.s', { partitionKey: 'p', abortSignal });
    return (await iterator.fetchNext()).resources;
  });
  expect(outcome.value).toEqual([{ id: 'i' }]);
  expect(outcome.attempts).toHaveLength(1);
  expect(server.requests).toHaveLength(1);
});
