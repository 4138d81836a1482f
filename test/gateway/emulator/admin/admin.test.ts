import { request } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { LocalCosmosState } from '#gateway/contract/local-cosmos.ts';
import { ACCOUNT, startTwoRegions, type TwoRegions } from '#test/gateway/emulator/two-regions.ts';
import { refusal } from '#test/gateway/emulator/with-emulator.ts';

const TOKEN = 'a token of the tests';

let test: TwoRegions;
let url: string;
beforeAll(async () => {
  test = await startTwoRegions({ adminPort: 0, adminToken: TOKEN });
  url = test.emulator.admin?.url ?? '';
});
afterEach(() => test.emulator.faults.clear());
afterAll(() => test.close());

async function ask(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${TOKEN}`, ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
}

describe('who may ask', () => {
  it('refuses a missing or wrong token and says nothing else', async () => {
    const refused = { status: 401, body: { message: 'The admin token is missing or wrong.' } };
    for (const authorization of ['', 'Bearer ', `Bearer ${TOKEN}x`, TOKEN, 'Basic x']) {
      expect(await ask('GET', '/state', undefined, { authorization })).toEqual(refused);
      expect(await ask('GET', '/nowhere', undefined, { authorization })).toEqual(refused);
    }
    expect((await ask('GET', '/state')).status).toBe(200);
  });

  it('answers to this machine only, so that a name of another site gets nothing', async () => {
    const { port } = new URL(url);
    const statusFor = (host: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        const headers = { host, authorization: `Bearer ${TOKEN}` };
        request({ host: '127.0.0.1', port, path: '/state', headers, agent: false }, ({ statusCode, ...incoming }) => {
          resolve(statusCode);
          void incoming;
        })
          .on('error', reject)
          .end();
      });
    for (const host of ['127.0.0.1', `127.0.0.1:${port}`, 'localhost', `localhost:${port}`, `[::1]:${port}`]) {
      expect([host, await statusFor(host)]).toEqual([host, 200]);
    }
    for (const host of ['evil.example', `evil.example:${port}`, 'localhost.evil.example', '127.0.0.1.evil.example']) {
      expect([host, await statusFor(host)]).toEqual([host, 401]);
    }
  });
});

describe('state', () => {
  it('tells accounts, regions, budgets and faults in the shape of the contract', async () => {
    const { body } = await ask('GET', '/state');
    const state = LocalCosmosState.parse(body);
    expect(state.accounts).toMatchObject([
      { name: ACCOUNT, consistency: 'BoundedStaleness', writeRegion: 'East', partitionRuPerSecond: null },
    ]);
    expect(state.accounts[0]?.regions.map(({ name, url: at }) => [name, at])).toEqual([
      ['East', test.east.url],
      ['West', test.west.url],
    ]);
    expect(state.faults).toEqual([]);
  });
});

describe('faults', () => {
  it('are switched on, listed with what they met, and switched off', async () => {
    const { status, body } = await ask('POST', '/faults', { region: 'East', effect: { kind: 'status', status: 503 } });
    expect(status).toBe(200);
    expect(body).toMatchObject({ percent: 100, met: 0, effect: { subStatus: 0, retryAfterMs: null } });
    const { id } = body as { id: string };
    expect((await test.east.raw('x', 'p')).status).toBe(503);
    expect(LocalCosmosState.parse((await ask('GET', '/state')).body).faults).toMatchObject([{ id, met: 1 }]);
    expect(await ask('DELETE', `/faults/${id}`)).toEqual({ status: 204, body: undefined });
    expect((await test.east.raw('x', 'p')).status).toBe(404);
    expect((await ask('DELETE', `/faults/${id}`)).status).toBe(404);
    await ask('POST', '/faults', { effect: { kind: 'refuse' } });
    expect((await ask('DELETE', '/faults')).status).toBe(204);
    // Both listen again before the reply.
    expect((await test.east.raw('x', 'p')).status).toBe(404);
    expect((await test.west.raw('x', 'p')).status).toBe(404);
  });

  it.each([
    ['no JSON', '{', 400, 'not JSON'],
    ['no effect', {}, 400, 'effect'],
    ['an effect that is not known', { effect: { kind: 'explode' } }, 400, 'effect'],
    ['a share of nothing', { percent: 0, effect: { kind: 'reset' } }, 400, 'percent'],
    ['refused connections of one operation', { operations: ['read'], effect: { kind: 'refuse' } }, 400, 'leave out'],
    ['some refused connections', { percent: 50, effect: { kind: 'refuse' } }, 400, 'leave out'],
    ['a lag of writes', { operations: ['write'], effect: { kind: 'lag', lagMs: 5 } }, 400, 'leave out operations'],
    ['no lag', { effect: { kind: 'replicaLag', lagMs: 0 } }, 400, 'none'],
    ['a rollback of reads', { operations: ['read'], effect: { kind: 'batchStatus', status: 429 } }, 400, 'batch'],
    ['expired items for reads', { operations: ['read'], effect: { kind: 'keepExpired' } }, 400, 'Expired'],
    ['an account that is not there', { account: 'none', effect: { kind: 'reset' } }, 404, 'no account none'],
    ['a region that is not there', { region: 'North', effect: { kind: 'reset' } }, 404, 'no region North'],
  ])('%s is refused in words', async (_, fault, status, words) => {
    const reply = await ask('POST', '/faults', fault);
    expect(reply).toMatchObject({ status, body: { message: expect.stringContaining(words) } });
    expect(test.emulator.faults.list()).toEqual([]);
  });

  it('no more than a hundred at a time, and no body above 64 KB', async () => {
    const fault = { operations: ['metadata'], effect: { kind: 'reset' } };
    for (let n = 0; n < 100; n += 1) expect((await ask('POST', '/faults', fault)).status).toBe(200);
    expect((await ask('POST', '/faults', fault)).status).toBe(409);
    expect((await ask('POST', '/faults', { ...fault, partition: 'x'.repeat(70_000) })).status).toBe(400);
  });
});

describe('failover and budget', () => {
  it('move the writes, set the budget, and refuse what is not there', async () => {
    expect((await ask('POST', '/failover', { account: ACCOUNT, region: 'West' })).status).toBe(204);
    expect((await refusal(test.east.container.items.create({ id: 'f', pk: 'p' }))).code).toBe(403);
    expect((await ask('POST', '/failover', { account: ACCOUNT, region: 'East' })).status).toBe(204);
    expect((await ask('POST', '/failover', { account: ACCOUNT, region: 'North' })).status).toBe(404);
    expect((await ask('POST', '/failover', { account: ACCOUNT })).status).toBe(400);
    expect((await ask('POST', '/budget', { account: ACCOUNT, partitionRuPerSecond: 400 })).status).toBe(204);
    expect(test.emulator.state().accounts[0]?.partitionRuPerSecond).toBe(400);
    expect((await ask('POST', '/budget', { account: ACCOUNT, partitionRuPerSecond: 0 })).status).toBe(400);
    expect((await ask('POST', '/budget', { account: 'none', partitionRuPerSecond: 1 })).status).toBe(404);
    expect((await ask('POST', '/budget', { account: ACCOUNT, partitionRuPerSecond: null })).status).toBe(204);
    expect((await ask('PUT', '/budget', {})).status).toBe(404);
  });
});

describe('corrupt', () => {
  const target = { account: ACCOUNT, database: 'test', container: 'c', partition: 'p', id: 'stored', property: 'text' };

  it('changes one byte of one string and neither etag nor time', async () => {
    const { container } = test.east;
    const text = 'QUJDREVGR0g=';
    const { resource: before } = await container.items.create<{ id: string; pk: string; text: string; n: number }>({
      id: 'stored',
      pk: 'p',
      text,
      n: 1,
    });
    expect(await ask('POST', '/corrupt', target)).toEqual({ status: 204, body: undefined });
    const { resource: after } = await container.item('stored', 'p').read<{ text: string }>();
    const differing = [...text].filter((letter, at) => letter !== after?.text[at]);
    expect(differing).toHaveLength(1);
    expect({ ...after, text }).toEqual(before);
    expect(Buffer.from(after?.text ?? '', 'base64')).toHaveLength(Buffer.from(text, 'base64').length);
  });

  it('reaches a string inside of an object and leaves what is beside it', async () => {
    const { container } = test.east;
    const content = { codec: 'none', envelope: 'QUJDREVGR0g=' };
    await container.items.create({ id: 'nested', pk: 'p', content });
    const nested = { ...target, id: 'nested', property: 'content.envelope' };
    expect((await ask('POST', '/corrupt', nested)).status).toBe(204);
    const { resource } = await container.item('nested', 'p').read<{ content: typeof content }>();
    expect(resource?.content).toEqual({ codec: 'none', envelope: expect.not.stringContaining(content.envelope) });
    expect((await ask('POST', '/corrupt', { ...nested, property: 'content.absent' })).status).toBe(409);
    expect((await ask('POST', '/corrupt', { ...nested, property: 'content' })).status).toBe(409);
  });

  it('refuses what has no such string', async () => {
    expect((await ask('POST', '/corrupt', { ...target, id: 'absent' })).status).toBe(404);
    expect((await ask('POST', '/corrupt', { ...target, container: 'absent' })).status).toBe(404);
    expect((await ask('POST', '/corrupt', { ...target, account: 'absent' })).status).toBe(404);
    expect((await ask('POST', '/corrupt', { ...target, property: 'n' })).status).toBe(409);
    expect((await ask('POST', '/corrupt', { ...target, property: 7 })).status).toBe(400);
  });
});
