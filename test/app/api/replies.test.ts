import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { encode } from 'next-auth/jwt';
import { afterAll, expect, test } from 'vitest';
import { PLACED_ROUTES, pathParametersOf } from '#server/contract/api/api-routes.ts';
import { createListener } from '#server/db/listen.ts';
import type { RouteHandler } from '#server/http/handle.ts';
import type { Installation } from '#server/http/installation.ts';
import { createToken } from '#server/tokens/create-token.ts';
import { changeActs } from '#test/server/changes/acts.ts';
import { testConsole } from '#test/server/console.ts';

/** Every route that reads, asked as its route file serves it, over a console where something has happened. */
const console_ = await testConsole();
const { db, env, signer } = console_;
const listener = createListener(env.databaseUrl);
const shared: typeof globalThis & { habitat?: Promise<Installation> } = globalThis;
const nowMs = (await console_.as('ana')).nowMs + 60_000;
shared.habitat = Promise.resolve({ db, env, signer, listener, now: () => nowMs });
afterAll(async () => {
  delete shared.habitat;
  await listener.close();
});

await db.user.update({ where: { id: 'ana' }, data: { roles: ['admin', 'engineer'] } });
const acts = changeActs(console_);
const number = await acts.approved([
  {
    kind: 'objectType',
    name: 'Note',
    document: {
      ownerTeam: 'chat',
      description: 'Stores a note.',
      classification: 'internal',
      maxBytes: 1_000,
      audit: { reads: 'none', writes: 'none' },
    },
  },
]);
await acts.publish('ana', number);
await acts.open('ana', 'A draft');
await createToken(await console_.as('ana'), { name: 't', team: 'chat', scopes: ['audit:read'], expiresInDays: 1 });
await db.requestRecord.create({
  data: {
    id: 'req_1',
    at: new Date(nowMs - 1_000),
    gateway: 'g1',
    worker: 0,
    release: 1,
    tenant: 'chat',
    principal: 'chat-api',
    actorKind: 'service',
    operation: 'object.get',
    type: 'Message',
    objectId: 'm1',
    status: 404,
    code: 'object_not_found',
    message: 'Nothing is stored under this id.',
    outcome: 'notFound',
    durationUs: 900,
    ru: 1,
    stages: {},
    attempts: [],
  },
});
await db.principalUse.create({
  data: {
    bucketAt: new Date(nowMs - 60_000),
    gateway: 'g1',
    tenant: 'chat',
    principal: 'chat-api',
    type: 'Message',
    requests: 3,
    ru: 3,
  },
});

const PARAMETERS: Readonly<Record<string, string>> = {
  kind: 'objectType',
  name: 'Message',
  tenant: 'chat',
  id: 'req_1',
  team: 'chat',
};
const QUERIES: Readonly<Record<string, string>> = {
  'GET /api/definitions': '?kind=type',
  'GET /api/releases/{number}/diff': '?with=1',
  'GET /api/releases/{number}/rollback': '?mode=undo',
  'GET /api/definitions/{kind}/{name}/received': '?sinceMs=0',
};
const session = await encode({ token: { sub: 'ana' }, secret: env.authSecret });

const modules = new Map(
  globSync('app/api/**/route.ts').map((file) => [
    file
      .replace(/^app|\/route\.ts$/g, '')
      .replaceAll('[', '{')
      .replaceAll(']', '}'),
    pathToFileURL(resolve(file)).href,
  ]),
);
const readers = PLACED_ROUTES.filter(({ method, mediaType }) => method === 'GET' && mediaType === undefined);

test.each(readers.map((route) => [route.key, route] as const))(
  '%s answers what it declares, and nothing more',
  async (key, route) => {
    const { GET } = (await import(modules.get(route.path) ?? '')) as { GET: RouteHandler };
    const named = pathParametersOf(route.path).map((name) => [name, parameter(name, route.path)] as const);
    const path = named.reduce((text, [name, value]) => text.replace(`{${name}}`, value), route.path);
    const request = new Request(`http://localhost:3000${path}${QUERIES[key] ?? ''}`, {
      headers: { cookie: `next-auth.session-token=${session}` },
    });
    const reply = await GET(request, { params: Promise.resolve(Object.fromEntries(named)) });
    const body: unknown = await reply.json();
    expect({ status: reply.status, body }).toMatchObject({ status: 200 });
    expect(body).toEqual(JSON.parse(JSON.stringify(route.reply.parse(body))));
  },
);

function parameter(name: string, path: string): string {
  if (name === 'number') return path.startsWith('/api/changes') ? String(number) : '2';
  if (name === 'name' && path.startsWith('/api/principals')) return 'chat-api';
  if (name === 'name' && path.startsWith('/api/policies')) return 'team-owns-type';
  return PARAMETERS[name] ?? 'x';
}
