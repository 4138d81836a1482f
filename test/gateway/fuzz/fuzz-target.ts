import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmulator } from '#gateway/emulator/start.ts';
import { OpenApiDocument } from '#test/gateway/contract/api/described.ts';
import { startConsole } from '#test/gateway/fixtures/console.ts';
import { edgeType, exampleItems, type Items, makeKey, principal, tenant } from '#test/gateway/fixtures/definitions.ts';
import { eventually } from '#test/gateway/fixtures/eventually.ts';
import { makeGatewayHome, type TestGateway } from '#test/gateway/fixtures/gateway.ts';
import { type Seen, startFaultyProxy } from '#test/support/faulty-proxy.ts';
import { type Loot, TENANTS, type Tenant } from './fuzz-case.ts';
import type { Judging } from './judge-case.ts';

/** A gateway over a store in which two tenants have marked what they stored. */
export interface FuzzTarget {
  readonly port: number;
  readonly loot: Loot;
  readonly judging: Judging;
  /** What does not hold of the gateway as a whole: call it when nothing is in flight. */
  check(): Promise<readonly string[]>;
  stop(): Promise<void>;
}

const MARKS = { chat: 'mark7Qx-of-chat', rival: 'mark7Qx-of-rival' } as const satisfies Record<Tenant, string>;

function itemsOf(keys: Readonly<Record<Tenant, ReturnType<typeof makeKey>>>): Items {
  const items = exampleItems(keys.chat);
  items.tenant.push(tenant('rival', { ownerTeam: 'chat' }));
  items.principal.push(principal('rival-api', { tenant: 'rival' }));
  items.key.push(keys.rival.item);
  items.edgeType.push(edgeType('pins', 'Conversation', 'Message'));
  return items;
}

export async function startTarget(): Promise<FuzzTarget> {
  const dir = mkdtempSync(join(tmpdir(), 'habitat-fuzz-'));
  const cosmos = await startEmulator({ port: 0, dir });
  const proxy = await startFaultyProxy(cosmos.url);
  const wide = watchBreadth(proxy.decide);
  const console = await startConsole();
  const keys = { chat: makeKey('chat-api'), rival: makeKey('rival-api') };
  await console.publish(itemsOf(keys));
  const home = makeGatewayHome(console, { url: proxy.url, key: cosmos.key });
  const gateway = await home.start();
  await eventually('release 1 is live', () => console.acks.some(({ result }) => result.state === 'live'));
  const tokens = { chat: keys.chat.token, rival: keys.rival.token };
  const [ofChat, ofRival] = [
    await furnish(gateway, 'chat', tokens.chat),
    await furnish(gateway, 'rival', tokens.rival),
  ];
  const said = gateway.said();
  const document = OpenApiDocument.parse(await (await fetch(`${gateway.url}/v1/openapi.json`)).json());
  return {
    port: Number(new URL(gateway.url).port),
    loot: {
      keys: tokens,
      cursors: { chat: ofChat.cursors, rival: ofRival.cursors },
      sessions: { chat: ofChat.sessions, rival: ofRival.sessions },
    },
    judging: { document, marks: MARKS },
    check: async () => [...(await problemsOf(gateway, said, tokens)), ...wide.splice(0).slice(0, 10)],
    stop: async () => {
      await home.remove();
      await console.close();
      await proxy.close();
      await cosmos.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** Requests to the store that ask more than one partition. The change feed is read by ranges, by its own thread. */
function watchBreadth(decide: (fateOf: (seen: Seen) => { kind: 'pass' }) => void): string[] {
  const found: string[] = [];
  decide((seen) => {
    const isItems = /\/docs(\/|$)/.test(seen.path);
    const isFeed = seen.headers['a-im'] !== undefined;
    if (isItems && !isFeed && seen.headers['x-ms-documentdb-partitionkey'] === undefined) {
      found.push(`the store was asked without a partition: ${seen.method} ${seen.path}`);
    }
    return { kind: 'pass' };
  });
  return found;
}

async function send(
  gateway: TestGateway,
  token: string,
  method: string,
  path: string,
  body?: string,
): Promise<Response> {
  const reply = await fetch(`${gateway.url}/v1/${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'habitat-deadline-ms': '30000' },
    ...(body === undefined ? {} : { body }),
  });
  if (!reply.ok) throw new Error(`${method} ${path} was answered ${reply.status}: ${await reply.text()}`);
  return reply;
}

/** Stores what others must not see, and keeps the cursors and sessions that the tenant was given. */
async function furnish(gateway: TestGateway, of: Tenant, token: string) {
  const mark = MARKS[of];
  const sessions: string[] = [];
  for (const type of ['Message', 'Conversation']) {
    for (const id of ['secret', 'o1', 'o2']) {
      const put = await send(gateway, token, 'PUT', `${of}/objects/${type}/${id}`, `content ${mark}`);
      sessions.push(put.headers.get('habitat-session') ?? '');
    }
  }
  const cursors: string[] = [];
  for (const [type, edge] of [
    ['Conversation', 'messages'],
    ['Conversation', 'pins'],
  ] as const) {
    const list = `${of}/objects/${type}/list/edges/${edge}`;
    for (let at = 0; at < 4; at++) {
      await send(gateway, token, 'PUT', `${list}/${mark}-${at}`, JSON.stringify({ time: at, data: mark }));
    }
    const page = (await (await send(gateway, token, 'GET', `${list}?limit=2`)).json()) as { cursor: string };
    cursors.push(page.cursor);
  }
  const given = sessions.filter((session) => session !== '');
  if (given.length === 0) throw new Error('The gateway gave out no session.');
  return { cursors, sessions: given };
}

async function problemsOf(
  gateway: TestGateway,
  said: string,
  tokens: Readonly<Record<Tenant, string>>,
): Promise<readonly string[]> {
  const found: string[] = [];
  if (gateway.process.exitCode !== null) return [`the gateway ended with ${gateway.process.exitCode}`];
  // A busy machine makes it miss its console or its store for a moment, which it says too.
  const more = gateway.said().slice(said.length);
  if (/Request \S+:|worker|thread|memory/i.test(more)) found.push(`the gateway said: ${more.slice(0, 2_000)}`);
  await eventually('the gateway is ready', async () => (await fetch(`${gateway.url}/readyz`)).status === 200);
  for (const of of TENANTS) {
    const got = await (await send(gateway, tokens[of], 'GET', `${of}/objects/Message/secret`)).text();
    if (!got.includes(MARKS[of])) found.push(`what ${of} stored is gone`);
    const counted = await (
      await send(gateway, tokens[of], 'GET', `${of}/objects/Conversation/list/edges/messages:count`)
    ).text();
    if (counted !== '{"count":4}') found.push(`of the edges that ${of} stored are left ${counted}`);
  }
  return found;
}
