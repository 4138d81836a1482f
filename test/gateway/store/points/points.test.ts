import { CosmosClient } from '@azure/cosmos';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ensureContainer } from '#gateway/store/ensure-container.ts';
import { type Fault, faultOf } from '#gateway/store/errors.ts';
import { createAttemptScopes, type WireAttempt } from '#gateway/store/http/attempt-scope.ts';
import { createFreeList } from '#gateway/store/http/free-list.ts';
import { createHttpClient } from '#gateway/store/http/http-client.ts';
import { CONTAINER, DATABASE } from '#gateway/store/layout/container.ts';
import type { Freshness, Place, PointLane, PointReads } from '#gateway/store/points/point-reads.ts';
import { createRestPoints } from '#gateway/store/points/rest-points.ts';
import { createSdkPoints } from '#gateway/store/points/sdk-points.ts';
import { signByKey, signByToken } from '#gateway/store/points/sign-read.ts';
import { openClient } from '#gateway/store/regions/region-client.ts';
import { startTestEmulator } from '#test/gateway/emulator/with-emulator.ts';
import { replyOf, startRawServer } from '#test/gateway/store/http/raw-server.ts';
import { LANES } from './lanes.ts';

const KEY = 'a2V5IG9mIHRoZSB0ZXN0';
const PLACE: Place = { pk: 'chat|Message|m', id: 'o' };
const FRESHNESS: Freshness = { consistencyLevel: 'Session', sessionToken: '0:-1#7' };

function openLane(lane: PointLane, origin: string, key = KEY) {
  const scopes = createAttemptScopes();
  const list = createFreeList({ origin, maxConnections: 4, now: Date.now, random: () => 0 });
  const { client, container } = openClient({ endpoint: origin, key, httpClient: createHttpClient(list, scopes) });
  onTestFinished(async () => {
    client.dispose();
    await list.close();
  });
  const rest = () => createRestPoints({ origin, list, scopes, sign: signByKey(key), now: Date.now });
  const points: PointReads = lane === 'rest' ? rest() : createSdkPoints(() => container);
  return { points, scopes, list };
}

interface Outcome {
  readonly item?: unknown;
  readonly fault?: Fault;
  readonly attempts: readonly WireAttempt[];
  readonly sessionToken: string | null;
}

async function readAt(lane: PointLane, origin: string, freshness = FRESHNESS): Promise<Outcome> {
  const { points, scopes } = openLane(lane, origin);
  const attempts: WireAttempt[] = [];
  const signal = AbortSignal.timeout(2_000);
  const meter = { add: (attempt: WireAttempt) => void attempts.push(attempt) };
  const scope = { meter, signal, wasLent: false, wasSent: false, sessionToken: null };
  try {
    const item = await scopes.run(scope, () => points.read(PLACE, freshness, signal));
    return { item, attempts, sessionToken: scope.sessionToken };
  } catch (error) {
    return { fault: faultOf(error, scope.wasSent), attempts, sessionToken: scope.sessionToken };
  }
}

async function readFrom(lane: PointLane, bytes: string): Promise<Outcome> {
  return readAt(lane, (await startRawServer(() => bytes)).origin);
}

const replied = (status: number, subStatus = 0, retryAfterMs: number | null = null) => ({
  fault: { kind: 'reply', status, subStatus, retryAfterMs },
});

describe.each(LANES)('a point read (%s)', (lane) => {
  it('gives the item, its charge and its session token', async () => {
    const headers = { 'x-ms-request-charge': '1.14', 'x-ms-session-token': '0:-1#8' };
    const outcome = await readFrom(lane, replyOf(200, '{"id":"o","text":"\\u2028 é"}', headers));
    expect(outcome.item).toMatchObject({ id: 'o', text: '\u2028 é' });
    const attempts = [{ status: 200, subStatus: 0, ru: 1.14, us: expect.any(Number), retryAfterMs: null }];
    expect(outcome).toMatchObject({ attempts, sessionToken: '0:-1#8' });
  });

  it('of nothing is null, and charged', async () => {
    const headers = { 'x-ms-request-charge': '1' };
    const outcome = await readFrom(lane, replyOf(404, '{"code":"NotFound","message":"x"}', headers));
    expect(outcome).toMatchObject({ item: null, attempts: [{ status: 404, ru: 1 }] });
  });

  it.each([
    [400, 0],
    [401, 0],
    [403, 3],
    [403, 1008],
    [404, 1002],
    [404, 1003],
    [408, 0],
    [410, 1002],
    [429, 3200],
    [449, 0],
    [500, 0],
    [503, 0],
  ])('that is refused with %d/%d is one attempt and says so', async (status, subStatus) => {
    const outcome = await readFrom(lane, replyOf(status, '{"message":"y"}', { 'x-ms-substatus': String(subStatus) }));
    expect(outcome).toMatchObject(replied(status, subStatus));
    expect(outcome.attempts).toMatchObject([{ status, subStatus }]);
  });

  it('that is throttled is told how long to wait', async () => {
    const outcome = await readFrom(lane, replyOf(429, '{"message":"slow"}', { 'x-ms-retry-after-ms': '17' }));
    expect(outcome).toMatchObject(replied(429, 0, 17));
  });

  it.each([
    ['nothing under 200', replyOf(200, '')],
    ['HTML under 200', replyOf(200, '<html>welcome</html>')],
    ['a cut-off body under 200', replyOf(200, '{"id":"o')],
    ['a redirect', replyOf(302, '', { location: '/login' })],
    ['no HTTP', 'SSH-2.0-OpenSSH_9.2\r\n\r\n'],
  ])('that is answered with %s has no outcome', async (_, bytes) => {
    const outcome = await readFrom(lane, bytes);
    expect(outcome.fault).toMatchObject({ kind: 'broken', wasSent: true });
    expect(outcome.attempts).toHaveLength(1);
  });

  it('that is refused with HTML is that status', async () => {
    expect(await readFrom(lane, replyOf(502, '<html>bad gateway</html>'))).toMatchObject(replied(502));
  });

  it('never sends a header of its own making along', async () => {
    const server = await startRawServer(() => replyOf(200, '{"id":"o"}'));
    const sessionToken = '0:1\r\nx-ms-consistency-level: Strong';
    await readAt(lane, server.origin, { consistencyLevel: 'Eventual', sessionToken });
    for (const { head } of server.requests) expect(head).not.toMatch(/^x-ms-consistency-level: Strong/im);
  });

  it.each(['plain', 'e~members~=C3=A9=20=2F=3F=23', 'two words', 'é ü 漢 😀', 'a\'b"c&d=e+f', '100%'])(
    'of the item "%s" is signed as Cosmos checks it, and finds it',
    async (id) => {
      const { emulator, client, close } = await startTestEmulator();
      onTestFinished(close);
      await ensureContainer(client);
      const pk = `chat|Message|${id}\u2028`;
      await client.database(DATABASE).container(CONTAINER).items.create({ id, pk });
      const { points } = openLane(lane, emulator.url, emulator.key);
      const signal = AbortSignal.timeout(20_000);
      expect(await points.read({ pk, id }, { consistencyLevel: 'Eventual' }, signal)).toMatchObject({ id, pk });
      expect(await points.read({ pk: 'other', id }, { consistencyLevel: 'Eventual' }, signal)).toBeNull();
    },
  );
});

it('both lanes ask for the same item in the same words', async () => {
  const server = await startRawServer(() => replyOf(200, '{"id":"o"}'));
  for (const lane of LANES) await readAt(lane, server.origin);
  const [rest = '', sdk = ''] = server.requests.filter(({ head }) => head.includes('/docs/')).map(({ head }) => head);
  const said = (head: string, name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1];
  expect(rest.split('\r\n')[0]).toBe(sdk.split('\r\n')[0]);
  for (const name of ['partitionkey', 'x-ms-consistency-level', 'x-ms-session-token', 'x-ms-version', 'accept']) {
    expect([name, said(rest, `[\\w-]*${name}`)]).toEqual([name, said(sdk, `[\\w-]*${name}`)]);
  }
});

it('a token of Entra ID is escaped once, and again when it was renewed', async () => {
  const tokens = ['type=aad&ver=1.0&sig=one', 'type=aad&ver=1.0&sig=one', 'type=aad&ver=1.0&sig=two'];
  const sign = signByToken(async () => tokens.shift() ?? '');
  const signal = AbortSignal.timeout(20_000);
  const signed = [await sign('l', 'd', signal), await sign('l', 'd', signal), await sign('l', 'd', signal)];
  const escaped = (sig: string) => `type%3Daad%26ver%3D1.0%26sig%3D${sig}`;
  expect(signed).toEqual([escaped('one'), escaped('one'), escaped('two')]);
});

it('the key signs what the SDK signs', async () => {
  const server = await startRawServer(() => replyOf(200, '{"id":"o","partitionKey":{"paths":["/pk"],"kind":"Hash"}}'));
  const client = new CosmosClient({
    endpoint: server.origin,
    key: KEY,
    connectionPolicy: { enableEndpointDiscovery: false },
  });
  onTestFinished(() => client.dispose());
  await client.database(DATABASE).container(CONTAINER).item('o', 'p').read();
  const head = server.requests.at(-1)?.head ?? '';
  const date = /^x-ms-date: (.*)$/im.exec(head)?.[1] ?? '';
  const signed = await signByKey(KEY)(`dbs/${DATABASE}/colls/${CONTAINER}/docs/o`, date, AbortSignal.timeout(20_000));
  expect(/^authorization: (.*)$/im.exec(head)?.[1]).toBe(signed);
});
