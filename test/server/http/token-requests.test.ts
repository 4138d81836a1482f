import { createHash, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createChange } from '#server/changes/create-change.ts';
import { CreateChange } from '#server/contract/changes.ts';
import { ConsoleErrorBody } from '#server/contract/errors.ts';
import type { Scope } from '#server/contract/scopes.ts';
import { createListener } from '#server/db/listen.ts';
import { createMachineHandle } from '#server/gateways/handle-machine.ts';
import { createHandle } from '#server/http/handle.ts';
import { createToken } from '#server/tokens/create-token.ts';
import { revokeToken } from '#server/tokens/revoke-token.ts';
import { START_MS, testConsole } from '#test/server/console.ts';

const console_ = await testConsole();
const { db, env, signer } = console_;
const listener = createListener(env.databaseUrl);
let clockMs = START_MS + 3_600_000;
const open = async () => ({ db, env, signer, listener, now: () => clockMs });
const handle = createHandle(open);

const tokenOf = async (who: string, ...scopes: Scope[]) =>
  createToken(await console_.as(who), { name: 'of the test', team: null, scopes, expiresInDays: 90 });
const ask = (method: string, path: string, token: string, extra: { body?: unknown; headers?: object } = {}) =>
  new Request(`http://localhost:3000${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...extra.headers },
    ...(extra.body === undefined ? {} : { body: JSON.stringify(extra.body) }),
  });
const errorOf = async (reply: Response) => ({
  status: reply.status,
  ...ConsoleErrorBody.parse(await reply.json()).error,
});

const who = handle(z.object({}), async ({ actor }) => ({ id: actor.id, token: actor.token?.name }));
const create = handle(CreateChange, createChange);
const { secret: writer } = await tokenOf('ana', 'changes:write');

describe('a request with a token', () => {
  it('needs neither cookie nor our page, and counts a cookie for nothing', async () => {
    const reply = await who(ask('GET', '/api/me', writer, { headers: { cookie: 'next-auth.session-token=x' } }));
    expect(await reply.json()).toEqual({ id: 'ana', token: 'of the test' });
    expect(reply.headers.get('habitat-api')).toBe('1');
  });

  it('needs the scope that its route declares, and the refusal names it', async () => {
    const { secret } = await tokenOf('ana', 'definitions:read');
    const error = await errorOf(await create(ask('POST', '/api/changes', secret, { body: { title: 'Add it' } })));
    expect(error).toMatchObject({ code: 'not_permitted', message: expect.stringContaining('changes:write') });
    expect((await create(ask('POST', '/api/changes', writer, { body: { title: 'Add it' } }))).status).toBe(200);
  });

  it('has no right that its person lacks', async () => {
    await db.user.update({ where: { id: 'ana' }, data: { roles: [] } });
    const error = await errorOf(await create(ask('POST', '/api/changes', writer, { body: { title: 'Add it' } })));
    expect(error).toMatchObject({ code: 'not_permitted', message: expect.stringContaining('written by engineers') });
    await db.user.update({ where: { id: 'ana' }, data: { roles: ['engineer'] } });
  });

  it('is refused by a route that is for people, and by one that nobody declared', async () => {
    for (const path of ['/api/tokens', '/api/changes/1/review', '/api/nowhere']) {
      const error = await errorOf(await who(ask('POST', path, writer)));
      expect([path, error.code, error.message]).toEqual([
        path,
        'not_permitted',
        expect.stringContaining('never a token'),
      ]);
    }
  });

  it('never reaches the machine API, nor does a token of gateways reach this one', async () => {
    const machine = createMachineHandle(open)(z.object({}), async () => ({}));
    const reply = await machine(ask('GET', '/api/gateway/manifest?gateway=g1', writer));
    expect((await errorOf(reply)).code).toBe('not_signed_in');
    const error = await errorOf(await who(ask('GET', '/api/me', 'gateway-token-of-the-tests')));
    expect(error.code).toBe('not_signed_in');
  });

  it('is refused from the request after its revocation on', async () => {
    const { token, secret } = await tokenOf('ana', 'definitions:read');
    expect((await who(ask('GET', '/api/me', secret))).status).toBe(200);
    await revokeToken(await console_.as('ana'), { id: token.id, reason: 'Done with it.' });
    expect((await errorOf(await who(ask('GET', '/api/me', secret)))).status).toBe(401);
  });

  it('stays named in the log after it is gone', async () => {
    const { token, secret } = await tokenOf('ana', 'changes:write');
    const { number } = await (await create(ask('POST', '/api/changes', secret, { body: { title: 'Named' } }))).json();
    await db.apiToken.delete({ where: { id: token.id } });
    const row = await db.auditEvent.findFirst({ where: { href: `/changes/${number}`, did: 'opened' } });
    expect(row).toMatchObject({ actor: 'Ana Ruiz', token: 'of the test' });
  });
});

describe('too many requests', () => {
  it('of one token are told when to come back, and other tokens are not', async () => {
    const quick = createHandle(open)(z.object({}), async () => ({}));
    const { secret } = await tokenOf('ana', 'definitions:read');
    for (let sent = 0; sent < 200; sent += 1) expect((await quick(ask('GET', '/api/me', secret))).status).toBe(200);
    const reply = await quick(ask('GET', '/api/me', secret));
    expect(reply.headers.get('retry-after')).toBe('1');
    expect(await errorOf(reply)).toMatchObject({ status: 429, code: 'too_many_requests', retryable: true });
    expect((await quick(ask('GET', '/api/me', writer))).status).toBe(200);
    clockMs += 1_000;
    expect((await quick(ask('GET', '/api/me', secret))).status).toBe(200);
  });

  it('of one address without a credential are limited, whatever addresses they make up, and those with one are not', async () => {
    const quick = createHandle(open)(z.object({}), async () => ({}));
    const forged = (n: number) =>
      ask('GET', '/api/me', `hbt_${'a'.repeat(50)}`, { headers: { 'x-forwarded-for': `10.0.0.${n}, 192.0.2.7` } });
    for (let sent = 0; sent < 100; sent += 1) expect((await quick(forged(sent))).status).toBe(401);
    expect((await quick(forged(100))).status).toBe(429);
    const headers = { 'x-forwarded-for': '192.0.2.7' };
    expect((await quick(ask('GET', '/api/me', writer, { headers }))).status).toBe(200);
  });
});

describe('a request with an idempotency key', () => {
  const post = (key: string, title: string, token = writer) =>
    create(ask('POST', '/api/changes', token, { body: { title }, headers: { 'idempotency-key': key } }));
  const countOf = (title: string) => db.change.count({ where: { title } });

  it('is done once, however often it is sent, and another body under the key is refused', async () => {
    const key = randomUUID();
    const first = await (await post(key, 'Only once')).json();
    expect(await (await post(key, 'Only once')).json()).toEqual(first);
    expect(await errorOf(await post(key, 'Another'))).toMatchObject({ status: 409, code: 'conflict' });
    expect([await countOf('Only once'), await countOf('Another')]).toEqual([1, 0]);
  });

  it('is done once when it arrives many times at one moment', async () => {
    const key = randomUUID();
    const replies = await Promise.all(Array.from({ length: 8 }, () => post(key, 'At one moment')));
    expect(replies.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    expect(replies.every(({ status }) => status === 200 || status === 409)).toBe(true);
    expect(await countOf('At one moment')).toBe(1);
  });

  it('is tried anew after a refusal, and a day later it is another request', async () => {
    const key = randomUUID();
    await db.user.update({ where: { id: 'ana' }, data: { roles: [] } });
    expect((await post(key, 'Refused first')).status).toBe(403);
    await db.user.update({ where: { id: 'ana' }, data: { roles: ['engineer'] } });
    expect((await post(key, 'Refused first')).status).toBe(200);
    clockMs += 25 * 3_600_000;
    expect((await post(key, 'Refused first')).status).toBe(200);
    expect(await countOf('Refused first')).toBe(2);
  });

  it('of somebody else is somebody else’s', async () => {
    const key = randomUUID();
    const { secret } = await tokenOf('bo', 'changes:write');
    await post(key, 'Of both');
    expect((await post(key, 'Of both', secret)).status).toBe(200);
    expect(await countOf('Of both')).toBe(2);
  });

  it('whose first was cut off with its process is taken over after a minute, by one', async () => {
    const key = randomUUID();
    const row = { actorId: 'ana', key, route: 'POST /api/changes', createdAt: new Date(clockMs) };
    const input = { title: 'Cut off', reason: '', link: null };
    const bodySha256 = createHash('sha256').update(JSON.stringify(input)).digest('hex');
    await db.idempotentReply.create({ data: { ...row, bodySha256 } });
    expect((await post(key, 'Cut off')).status).toBe(409);
    clockMs += 61_000;
    const replies = await Promise.all([post(key, 'Cut off'), post(key, 'Cut off')]);
    expect(replies.some(({ status }) => status === 200)).toBe(true);
    expect(await countOf('Cut off')).toBe(1);
  });
});

it('a command that is too old is told so in a sentence', async () => {
  const error = await errorOf(await who(ask('GET', '/api/me', writer, { headers: { 'habitat-api': '0' } })));
  expect(error).toMatchObject({ status: 426, code: 'client_too_old', message: expect.stringContaining('Update') });
  expect((await who(ask('GET', '/api/me', writer, { headers: { 'habitat-api': '1' } }))).status).toBe(200);
});
