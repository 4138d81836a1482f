import { encode } from 'next-auth/jwt';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ConsoleErrorBody, CSRF_HEADER, CSRF_VALUE } from '#server/contract/errors.ts';
import { ServerError } from '#server/contract/server-error.ts';
import { createDatabase } from '#server/db/client.ts';
import { createListener } from '#server/db/listen.ts';
import { createHandle } from '#server/http/handle.ts';
import { START_MS, testConsole } from '#test/server/console.ts';

const console_ = await testConsole({ NEXTAUTH_URL: 'http://localhost:3000' });
const { db, env, signer } = console_;
const listener = createListener(env.databaseUrl);
const open = async () => ({ db, env, signer, listener, now: () => START_MS });
const handle = createHandle(open);

const cookieOf = async (userId: string) =>
  `next-auth.session-token=${await encode({ token: { sub: userId }, secret: env.authSecret })}`;
const ana = await cookieOf('ana');

const Input = z.strictObject({ name: z.string(), count: z.coerce.number().int().max(9, 'At most 9.') });
const route = { params: Promise.resolve({ name: 'Message' }) };
const echo = handle(Input, async (ctx, input) => ({ who: ctx.actor.name, ...input }));

const get = (query: string, headers: Record<string, string> = { cookie: ana }) =>
  new Request(`http://localhost:3000/api/x?${query}`, { headers });
const post = (body: string, headers: Record<string, string> = {}) =>
  new Request('http://localhost:3000/api/x', {
    method: 'POST',
    body,
    headers: { cookie: ana, origin: 'http://localhost:3000', [CSRF_HEADER]: CSRF_VALUE, ...headers },
  });
const errorOf = async (reply: Response) => ({
  status: reply.status,
  ...ConsoleErrorBody.parse(await reply.json()).error,
});

describe('a request', () => {
  it('runs its verb with query and path, and carries an id', async () => {
    const reply = await echo(get('count=3'), route);
    expect(await reply.json()).toEqual({ who: 'Ana Ruiz', name: 'Message', count: 3 });
    expect(reply.headers.get('habitat-request-id')).toMatch(/^creq_[0-9a-f]{24}$/);
    expect(reply.headers.get('cache-control')).toBe('no-store');
  });

  it('cannot overrule the path by its body', async () => {
    const reply = await echo(post('{"count":1,"name":"Other"}'), route);
    expect(await reply.json()).toMatchObject({ name: 'Message' });
  });

  it('without a session, or with a forged one, is not signed in', async () => {
    expect((await errorOf(await echo(get('count=1', {}), route))).code).toBe('not_signed_in');
    const forged = `next-auth.session-token=${await encode({ token: { sub: 'ana' }, secret: 'x'.repeat(40) })}`;
    expect((await errorOf(await echo(get('count=1', { cookie: forged }), route))).code).toBe('not_signed_in');
    const bearer = `Bearer ${ana.slice('next-auth.session-token='.length)}`;
    expect((await errorOf(await echo(get('count=1', { authorization: bearer }), route))).code).toBe('not_signed_in');
  });

  it('of a person who is gone is not signed in', async () => {
    expect((await errorOf(await echo(get('count=1', { cookie: await cookieOf('ghost') }), route))).status).toBe(401);
  });

  it('with input that does not parse says where', async () => {
    const error = await errorOf(await echo(get('count=12&extra=1'), route));
    expect(error).toMatchObject({ status: 400, code: 'invalid_input', fields: { count: 'At most 9.' } });
    expect((await errorOf(await echo(post('{'), route))).message).toBe('The body is not JSON.');
    expect((await errorOf(await echo(post('[1]'), route))).message).toBe('The body is not a JSON object.');
  });

  it('that changes something needs our header and our origin', async () => {
    expect((await errorOf(await echo(post('{"count":1}', { [CSRF_HEADER]: '0' }), route))).code).toBe('csrf_refused');
    expect((await errorOf(await echo(post('{"count":1}', { origin: 'https://evil.example' }), route))).status).toBe(
      403,
    );
    expect((await errorOf(await echo(post('{"count":1}', { origin: 'null' }), route))).status).toBe(403);
    const sameHost = post('{"count":1}', { origin: 'http://127.0.0.1:3000', host: '127.0.0.1:3000' });
    expect((await echo(sameHost, route)).status).toBe(200);
  });

  it('loses a right at the next request after it is taken away', async () => {
    const roles = handle(z.object({}), async (ctx) => ({ roles: ctx.actor.roles }));
    const ask = async () => ((await (await roles(get(''))).json()) as { roles: string[] }).roles;
    expect(await ask()).toEqual(['engineer']);
    await db.user.update({ where: { id: 'ana' }, data: { roles: [] } });
    expect(await ask()).toEqual([]);
    await db.user.update({ where: { id: 'ana' }, data: { roles: ['engineer'] } });
  });
});

describe('a verb', () => {
  it('that refuses becomes its status and words, and nothing of its detail', async () => {
    const refusing = handle(z.object({}), async () => {
      throw new ServerError('conflict', { publicMessage: 'Bo was first.', detail: 'secret detail' });
    });
    const reply = await refusing(get(''));
    expect(reply.status).toBe(409);
    expect(await reply.clone().text()).not.toContain('secret detail');
    expect((await errorOf(reply)).message).toBe('Bo was first.');
  });

  it('that fails says internal and nothing else', async () => {
    const failing = handle(z.object({}), async () => {
      throw new Error('password=hunter2');
    });
    const logged: unknown[] = [];
    const original = console.error;
    console.error = (...words: unknown[]) => logged.push(words);
    const reply = await failing(get(''));
    console.error = original;
    expect(await reply.clone().text()).not.toContain('hunter2');
    expect(await errorOf(reply)).toMatchObject({ status: 500, code: 'internal', retryable: false });
    expect(String(logged)).toContain('hunter2');
  });

  it('that answers with a Response is passed through', async () => {
    const raw = handle(z.object({}), async () => new Response('bytes', { status: 203 }));
    const reply = await raw(get(''));
    expect([reply.status, await reply.text()]).toEqual([203, 'bytes']);
  });
});

it('one person who sends without end is told to wait, others are not', async () => {
  const quick = createHandle(open)(z.object({}), async () => ({}));
  for (let sent = 0; sent < 400; sent += 1) expect((await quick(get(''))).status).toBe(200);
  const error = await errorOf(await quick(get('')));
  expect(error).toMatchObject({ status: 429, code: 'too_many_requests', retryable: true });
  expect((await quick(get('', { cookie: await cookieOf('bo') }))).status).toBe(200);
});

it('a database out of reach is said to be away', async () => {
  const away = createDatabase('postgresql://nobody:x@127.0.0.1:1/none');
  const reply = await createHandle(async () => ({ ...(await open()), db: away }))(z.object({}), async () => ({}))(
    get(''),
  );
  await away.$disconnect();
  expect(await errorOf(reply)).toMatchObject({ status: 503, code: 'database_away', retryable: true });
});
