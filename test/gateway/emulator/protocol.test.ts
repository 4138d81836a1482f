import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientOf, refusal, startTestEmulator, type TestEmulator } from './with-emulator.ts';

let test: TestEmulator;
beforeAll(async () => {
  test = await startTestEmulator({ consistency: 'Session' });
});
afterAll(() => test.close());

interface RawRequest {
  readonly path: string;
  readonly type: string;
  readonly link: string;
  readonly key?: string;
  readonly date?: Date;
  readonly headers?: Readonly<Record<string, string>>;
}

function signed({ type, link, key, date = new Date(), headers }: RawRequest): Record<string, string> {
  const text = `get\n${type}\n${link}\n${date.toUTCString().toLowerCase()}\n\n`;
  const sig = createHmac('sha256', Buffer.from(key ?? test.emulator.key, 'base64'))
    .update(text)
    .digest('base64');
  const authorization = encodeURIComponent(`type=master&ver=1.0&sig=${sig}`);
  return { authorization, 'x-ms-date': date.toUTCString(), ...headers };
}

const get = (request: RawRequest): Promise<Response> =>
  fetch(`${test.emulator.url}${request.path}`, { headers: signed(request) });

const ACCOUNT: RawRequest = { path: '/', type: '', link: '' };

describe('signatures', () => {
  it('accepts the master key and names itself to the client', async () => {
    const response = await get(ACCOUNT);
    expect(response.status).toBe(200);
    const account = (await response.json()) as {
      userConsistencyPolicy: object;
      writableLocations: { databaseAccountEndpoint: string }[];
    };
    expect(account.userConsistencyPolicy).toEqual({ defaultConsistencyLevel: 'Session' });
    expect(account.writableLocations[0]?.databaseAccountEndpoint).toBe(`${test.emulator.url}/`);
  });

  it('refuses another key, no signature, a signature of another resource and one of another kind', async () => {
    const other = Buffer.from('another key').toString('base64');
    expect((await get({ ...ACCOUNT, key: other })).status).toBe(401);
    expect((await fetch(test.emulator.url)).status).toBe(401);
    expect((await get({ path: '/dbs/test', type: 'dbs', link: 'dbs/other' })).status).toBe(401);
    const headers = { authorization: 'type%3Daad%26ver%3D1.0%26sig%3Dx' };
    expect((await get({ ...ACCOUNT, headers })).status).toBe(401);
    const client = clientOf(test.emulator.url, other);
    expect((await refusal(client.databases.readAll().fetchAll())).code).toBe(401);
    client.dispose();
  });

  it('refuses a date more than 15 minutes away on either side', async () => {
    const at = (minutes: number): Date => new Date(Date.now() + minutes * 60_000);
    expect((await get({ ...ACCOUNT, date: at(-14) })).status).toBe(200);
    expect((await get({ ...ACCOUNT, date: at(-16) })).status).toBe(401);
    expect((await get({ ...ACCOUNT, date: at(16) })).status).toBe(401);
  });

  it('needs none for its health', async () => {
    const response = await fetch(`${test.emulator.url}/_habitat/health`);
    expect([response.status, await response.json()]).toEqual([200, { ok: true }]);
  });
});

describe('errors', () => {
  it('have the service’s shape and headers', async () => {
    const response = await get({ path: '/dbs/absent', type: 'dbs', link: 'dbs/absent' });
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({ code: 'NotFound', message: expect.stringContaining('does not exist') });
    expect(response.headers.get('x-ms-activity-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(Number(response.headers.get('x-ms-request-charge'))).toBeGreaterThan(0);
  });

  it('a container that is not there is 404/1003, an item 404 without a sub-status', async () => {
    const { database } = await test.client.databases.createIfNotExists({ id: 'test' });
    const missing = database.container('absent').items.create({ id: 'x', pk: 'p' });
    const { code, substatus } = await refusal(missing);
    expect([code, substatus]).toEqual([404, 1003]);
    const container = await test.container('present');
    const read = await container.item('x', 'p').read();
    expect([read.statusCode, read.substatus ?? 0]).toEqual([404, 0]);
  });

  it('kinds of resources that it does not have are refused, not ignored', async () => {
    const container = await test.container('present');
    expect((await refusal(container.scripts.storedProcedures.create({ id: 'p', body: 'function () {}' }))).code).toBe(
      405,
    );
    const feed = 'dbs/test/colls/present';
    const allVersions = { path: `/${feed}/docs`, type: 'docs', link: feed, headers: { 'a-im': 'Full-Fidelity Feed' } };
    expect((await get(allVersions)).status).toBe(400);
  });

  it('a range that is gone is 410/1002', async () => {
    const link = 'dbs/test/colls/present';
    const headers = { 'x-ms-documentdb-partitionkeyrangeid': '7' };
    const response = await get({ path: `/${link}/docs`, type: 'docs', link, headers });
    expect([response.status, response.headers.get('x-ms-substatus')]).toEqual([410, '1002']);
  });
});

describe('sessions', () => {
  it('the token grows with every write and a read that asks for it sees the write', async () => {
    const container = await test.container('sessions');
    const first = await container.items.create({ id: 'x', pk: 'p' });
    const second = await container.items.create({ id: 'y', pk: 'p' });
    const lsn = (token: unknown): number => Number(String(token).split('#')[1]);
    expect(lsn(second.headers['x-ms-session-token'])).toBe(lsn(first.headers['x-ms-session-token']) + 1);
    const sessionToken = String(second.headers['x-ms-session-token']);
    expect((await container.item('y', 'p').read({ sessionToken })).statusCode).toBe(200);
  });

  // By hand: the SDK answers a 404/1002 by sending the read once more without its token.
  it('a token ahead of the range is 404/1002, and a malformed one 400', async () => {
    const link = 'dbs/test/colls/sessions/docs/x';
    const read = (token: string): Promise<Response> =>
      get({
        path: `/${link}`,
        type: 'docs',
        link,
        headers: { 'x-ms-documentdb-partitionkey': '["p"]', 'x-ms-session-token': token },
      });
    expect((await read('0:0#1')).status).toBe(200);
    const ahead = await read('0:0#999999');
    expect([ahead.status, ahead.headers.get('x-ms-substatus')]).toEqual([404, '1002']);
    expect((await read('7:0#999999')).status).toBe(200);
    expect((await read('nonsense')).status).toBe(400);
  });

  it('refuses a consistency above the account’s', async () => {
    const container = await test.container('sessions');
    expect((await container.item('x', 'p').read({ consistencyLevel: 'Eventual' })).statusCode).toBe(200);
    expect((await refusal(container.item('x', 'p').read({ consistencyLevel: 'Strong' }))).code).toBe(400);
  });
});
