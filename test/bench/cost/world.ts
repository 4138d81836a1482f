import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Child, startChild } from '#test/bench/lib/child.ts';
import { startCosmos } from '#test/bench/lib/cosmos-process.ts';
import { OTHER_CORE, pin, SERVER_CORE } from '#test/bench/lib/cpu.ts';
import { freePort } from '#test/bench/lib/ports.ts';
import { startConsole, type TestConsole } from '#test/gateway/fixtures/console.ts';
import {
  exampleItems,
  type Items,
  makeKey,
  objectType,
  principal,
  tenant,
} from '#test/gateway/fixtures/definitions.ts';
import { eventually } from '#test/gateway/fixtures/eventually.ts';
import { type GatewayHome, makeGatewayHome } from '#test/gateway/fixtures/gateway.ts';
import { selfSigned } from '#test/support/self-signed.ts';

const UPSTREAM = resolve(import.meta.dirname, '../lib/upstream-main.ts');

/** Objects that are read in turn, each of so many bytes that do not compress. */
export const OBJECTS = 64;
export const OBJECT_BYTES = 1_024;

/** The type whose objects gateways keep. */
export const CACHED = 'Note';

export interface Gateway {
  readonly pid: number;
  readonly url: string;
}

/** What the cost table is measured in: a Cosmos endpoint with its recorded replies in front, and gateways over those. */
export interface World {
  readonly dir: string;
  readonly console: TestConsole;
  /** Bearer tokens: of the service that may read, and of one whose tenant has a quota of one read a second. */
  readonly tokens: { readonly reader: string; readonly tight: string };
  /** The endpoint itself, without what is recorded. */
  readonly cosmosUrl: string;
  readonly upstream: {
    readonly tlsPort: number;
    readonly plainPort: number;
    readonly key: string;
    readonly caFile: string;
  };
  /** A gateway with one worker, alone on the core of servers. */
  gateway(over?: Readonly<Record<string, string>>): Promise<Gateway>;
  stop(): Promise<void>;
}

/** The example with what a cost is asked of: a type that its reader may not read, and a tenant that may hardly read. */
export function benchItems(keys: {
  readonly reader: ReturnType<typeof makeKey>;
  readonly tight: ReturnType<typeof makeKey>;
}): Items {
  const items = exampleItems(keys.reader);
  const plenty = { readsPerSecond: 1_000_000, writesPerSecond: 1_000_000, ruPerSecond: 10_000_000, inFlight: 10_000 };
  const little = { readsPerSecond: 1, writesPerSecond: 1, ruPerSecond: 10, inFlight: 10 };
  return {
    ...items,
    objectType: [
      ...[objectType('Conversation'), objectType('Message'), objectType('Secret', { ownerTeam: 'search' })],
      objectType(CACHED, { cache: { ttlMs: 3_600_000 } }),
    ],
    tenant: [tenant('chat', { quotas: plenty }), tenant('tight', { ownerTeam: 'chat', quotas: little })],
    principal: [principal('chat-api'), principal('tight-api', { tenant: 'tight' })],
    key: [keys.reader.item, keys.tight.item],
  };
}

export async function startWorld(change: (items: Items) => Items = (items) => items): Promise<World> {
  const dir = mkdtempSync(join(tmpdir(), 'habitat-bench-'));
  pin(process.pid, OTHER_CORE);
  const cosmos = await startCosmos(dir);
  const { upstream, child } = await startUpstream(dir, cosmos.url);
  const keys = { reader: makeKey('chat-api'), tight: makeKey('tight-api') };
  const console = await startConsole();
  await console.publish(change(benchItems(keys)));
  const endpoint = { url: `https://localhost:${upstream.tlsPort}`, key: cosmos.key };
  const home = makeGatewayHome(console, endpoint);
  const gateway = (over: Readonly<Record<string, string>> = {}): Promise<Gateway> =>
    startGateway({ home, console, caFile: upstream.caFile, over });
  return {
    ...{ dir, console, gateway, cosmosUrl: cosmos.url },
    tokens: { reader: keys.reader.token, tight: keys.tight.token },
    upstream: { ...upstream, key: cosmos.key },
    async stop() {
      await home.remove();
      await console.close();
      await child.stop();
      await cosmos.stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

async function startUpstream(dir: string, target: string) {
  const { key, cert } = selfSigned('localhost');
  const [keyFile, caFile] = [join(dir, 'key.pem'), join(dir, 'cert.pem')];
  writeFileSync(keyFile, key, { mode: 0o600 });
  writeFileSync(caFile, cert);
  const [tlsPort, plainPort] = [await freePort(), await freePort()];
  const args = [UPSTREAM, target, keyFile, caFile, String(tlsPort), String(plainPort)];
  const child: Child = await startChild({ command: process.execPath, args, ready: /listens/ });
  return { child, upstream: { tlsPort, plainPort, caFile } };
}

interface GatewayParts {
  readonly home: GatewayHome;
  readonly console: TestConsole;
  readonly caFile: string;
  readonly over: Readonly<Record<string, string>>;
}

let gateways = 0;

async function startGateway({ home, console, caFile, over }: GatewayParts): Promise<Gateway> {
  gateways += 1;
  const live = () => console.acks.filter(({ result }) => result.state === 'live').length;
  const before = live();
  const started = await home.start({
    GATEWAY_WORKERS: '1',
    HABITAT_PARENT_PIPE: '1',
    GATEWAY_STATE_DIR: join(home.dir, `state-${gateways}`),
    NODE_EXTRA_CA_CERTS: caFile,
    ...over,
  });
  await eventually('the release is live', () => live() > before, 30_000).catch((error: unknown) => {
    const results = JSON.stringify(console.acks.map(({ result }) => result));
    throw new Error(`The gateway serves no release: ${results} ${started.said()}`, { cause: error });
  });
  const pid = started.process.pid ?? 0;
  pin(pid, SERVER_CORE);
  return { pid, url: started.url };
}

/** Writes the objects of a type through a gateway and reads each, so that its reply is recorded. */
export async function seedObjects(gateway: Gateway, token: string, type = 'Message'): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' };
  for (let at = 0; at < OBJECTS; at += 1) {
    const url = `${gateway.url}/v1/chat/objects/${type}/m${at}`;
    const body = randomBytes(OBJECT_BYTES);
    await served(await fetch(url, { method: 'PUT', headers, body }));
    await served(await fetch(url, { headers }));
  }
}

/** Throws unless the last seeded object of the type is served from the cache. */
export async function checkCached(gateway: Gateway, token: string): Promise<void> {
  const url = `${gateway.url}/v1/chat/objects/${CACHED}/m${OBJECTS - 1}`;
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  await served(response);
  const from = response.headers.get('habitat-served-from');
  if (from !== 'cache') throw new Error(`A cached object was served from ${from}.`);
}

async function served(response: Response): Promise<void> {
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.url} was answered ${response.status}: ${text}`);
}
