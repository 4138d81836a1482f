import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NewFault } from '#gateway/contract/local-cosmos.ts';
import { EMULATOR_KEY } from '#gateway/emulator/http/authenticate.ts';
import { type Program, runProgramWith } from '#test/gateway/emulator/run-program.ts';
import { startConsole } from '#test/gateway/fixtures/console.ts';
import { exampleItems, type Items, makeKey } from '#test/gateway/fixtures/definitions.ts';
import { eventually } from '#test/gateway/fixtures/eventually.ts';
import { type GatewayHome, makeGatewayHome, type TestGateway } from '#test/gateway/fixtures/gateway.ts';
import { EDGE_TYPES, GATEWAYS, type Region } from './plan.ts';

/** One started process of a gateway. */
export interface GatewayProcess {
  readonly url: string;
  /** The gateway's name and how often it was started. */
  readonly name: string;
}

/** Two gateways of two workers each before a local endpoint of two regions, all processes of their own. */
export interface World {
  readonly token: string;
  readonly cosmos: { readonly url: string; readonly key: string };
  /** The gateway's process that runs now; null while it is being started. */
  gateway(name: string): GatewayProcess | null;
  /** `gw-a`, `gw-b` or `endpoint`: SIGKILL, then a new start on the same state. Resolves when it serves again. */
  killAndRestart(what: string): Promise<void>;
  /** Returns what switches the fault off; if the endpoint was started anew meanwhile, it is off already. */
  addFault(fault: NewFault): Promise<() => Promise<void>>;
  clearFaults(): Promise<void>;
  failover(region: Region): Promise<void>;
  /** Request units a second that one partition may use; null for no limit. */
  setBudget(partitionRuPerSecond: number | null): Promise<void>;
  /** Publishes that every type is cached for so long, or that none is; resolves once every worker serves it. */
  cacheFor(ttlMs: number | null): Promise<void>;
  /** Resolves once every process serves a read and a write on both sides. */
  settle(): Promise<void>;
  /** What the gateways wrote on standard error. */
  said(): string;
  stop(): Promise<void>;
}

const ACCOUNT = 'habitat-local';

export async function startWorld(): Promise<World> {
  const root = mkdtempSync(join(tmpdir(), 'habitat-histories-'));
  const endpoint = await startEndpoint(join(root, 'cosmos'));
  const key = makeKey('chat-api');
  const console_ = await startConsole();
  await console_.publish(itemsOf(key, null));
  let ttl: number | null = null;
  const home = makeGatewayHome(console_, { url: endpoint.url(), key: EMULATOR_KEY });
  const gateways = new Map(GATEWAYS.map((name) => [name as string, openGateway(home, name)]));
  const named = (name: string) => {
    const gateway = gateways.get(name);
    if (gateway === undefined) throw new Error(`There is no gateway ${name}.`);
    return gateway;
  };
  const stop = async () => {
    await home.remove();
    await console_.close();
    await endpoint.stop();
    rmSync(root, { recursive: true, force: true });
  };
  try {
    // One after another: on a busy machine two at once may take longer than a gateway waits for its threads.
    for (const gateway of gateways.values()) await gateway.start();
  } catch (error) {
    await stop();
    throw error;
  }
  async function settle(): Promise<void> {
    for (const name of GATEWAYS) {
      await eventually(`${name} is ready`, () => isReady(named(name).now()), 180_000);
    }
  }

  return {
    token: key.token,
    cosmos: { url: endpoint.url(), key: EMULATOR_KEY },
    gateway: (name) => named(name).now(),
    killAndRestart: (what) => (what === 'endpoint' ? endpoint.killAndRestart() : named(what).killAndRestart()),
    async addFault(fault) {
      const { id } = await endpoint.ask('POST', '/faults', { account: ACCOUNT, ...fault });
      return async () => void (await endpoint.ask('DELETE', `/faults/${id}`));
    },
    clearFaults: async () => void (await endpoint.ask('DELETE', '/faults')),
    failover: async (region) => void (await endpoint.ask('POST', '/failover', { account: ACCOUNT, region })),
    async setBudget(partitionRuPerSecond) {
      await endpoint.ask('POST', '/budget', { account: ACCOUNT, partitionRuPerSecond });
    },
    async cacheFor(ttlMs) {
      if (ttlMs === ttl) return;
      ttl = ttlMs;
      const release = `r${await console_.publish(itemsOf(key, ttlMs))}`;
      for (const name of GATEWAYS) {
        await eventually(
          `${name} serves ${release}`,
          () => servesEverywhere(named(name).now(), release, key.token),
          180_000,
        );
      }
    },
    settle,
    said: () => [...gateways.values()].map((gateway) => gateway.said()).join(''),
    stop,
  };
}

function itemsOf(key: ReturnType<typeof makeKey>, ttlMs: number | null): Items {
  const items = { ...exampleItems(key), edgeType: Object.values(EDGE_TYPES) };
  if (ttlMs === null) return items;
  const cached = (one: Record<string, unknown>) => ({ ...one, cache: { ttlMs } });
  return { ...items, objectType: items.objectType.map(cached), edgeType: items.edgeType.map(cached) };
}

/** Requests come to either worker: so many that meet the release leave little room for one that does not serve it. */
async function servesEverywhere(gateway: GatewayProcess | null, release: string, token: string): Promise<boolean> {
  if (gateway === null) return false;
  const headers = { authorization: `Bearer ${token}` };
  const ask = () => fetch(`${gateway.url}/v1/chat/objects/Message/none`, { headers }).catch(() => null);
  const replies = await Promise.all(Array.from({ length: 20 }, ask));
  return replies.every((reply) => reply?.headers.get('habitat-release') === release);
}

async function isReady(gateway: GatewayProcess | null): Promise<boolean> {
  if (gateway === null) return false;
  const reply = await fetch(`${gateway.url}/readyz`).catch(() => null);
  return reply?.status === 200;
}

function openGateway(home: GatewayHome, name: string) {
  let starts = 0;
  let running: TestGateway | null = null;
  let earlier = '';
  let failure: unknown = null;
  const start = async () => {
    starts += 1;
    const gateway = await home.start({
      GATEWAY_STATE_DIR: join(home.dir, `state-${name}`),
      COSMOS_REGIONS: nearestOf(name),
    });
    await eventually(`${name} has a release`, () => isReady({ url: gateway.url, name }), 180_000);
    running = gateway;
  };
  return {
    start,
    now() {
      // Whoever waits for it would wait forever.
      if (failure !== null) throw failure;
      return running === null ? null : { url: running.url, name: `${name}/${starts}` };
    },
    said: () => earlier + (running?.said() ?? ''),
    async killAndRestart() {
      const gateway = running;
      running = null;
      await gateway?.kill('SIGKILL');
      earlier += gateway?.said() ?? '';
      await start().catch((error: unknown) => {
        failure = error;
      });
    },
  };
}

/** Each gateway reads nearest in another region. */
function nearestOf(name: string): string {
  return name === GATEWAYS[0] ? 'West,East' : 'East,West';
}

async function startEndpoint(dir: string) {
  let program: Program;
  let urls: string[] = [];
  let token = '';
  const run = async (ports: readonly string[]) => {
    const [east, west, admin] = ports;
    program = runProgramWith(['--regions', `East=${east},West=${west}`, '--admin-port', String(admin), '--dir', dir]);
    await program.ready;
    urls = [...program.stdout().matchAll(/ on (http:[^\s,]+)/g)].map(([, url]) => String(url));
    token = readFileSync(join(dir, 'admin-token'), 'utf8').trim();
    return program;
  };
  program = await run(['0', '0', '0']);
  return {
    url: () => String(urls[0]),
    async killAndRestart() {
      program.child.kill('SIGKILL');
      await program.exited;
      program = await run(urls.map((url) => new URL(url).port));
    },
    /** An endpoint that is being started has no faults to change. */
    async ask(method: string, path: string, body?: object): Promise<{ id: string }> {
      const headers = { authorization: `Bearer ${token}` };
      const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
      const reply = await fetch(`${urls[2]}${path}`, init).catch(() => null);
      const text = (await reply?.text()) ?? '';
      if (reply !== null && reply.status >= 400 && reply.status !== 404) throw new Error(`${method} ${path}: ${text}`);
      return text === '' ? { id: 'none' } : JSON.parse(text);
    },
    async stop() {
      program.child.kill('SIGKILL');
      await program.exited;
    },
  };
}
