import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { LocalCosmosState } from '#gateway/contract/local-cosmos.ts';
import { isGoneWithin, isProcessAlive } from '#server/launch/processes.ts';
import { waitUntil } from '#test/support/wait-until.ts';

// All of Habitat, as `npm start` runs it. The first of these tests builds the console when no build is there.
const root = resolve(import.meta.dirname, '..', '..', '..');
const START_MS = 300_000;

const runSchema = z.object({
  consoleUrl: z.url(),
  gatewayUrl: z.url(),
  cosmosUrl: z.url(),
  ports: z.object({ cosmos: z.number(), cosmosWest: z.number(), cosmosAdmin: z.number() }),
  pids: z.object({
    launcher: z.number(),
    console: z.number(),
    gateway: z.number(),
    cosmos: z.number(),
    postgres: z.number(),
  }),
});

let home: string;
let launcher: Launcher | undefined;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'habitat-launcher-'));
  chmodSync(home, 0o711);
});

afterEach(async () => {
  await launcher?.end('SIGTERM');
  rmSync(home, { recursive: true });
});

test('one command brings everything up, a signal takes everything down, and the second start keeps the data', {
  timeout: START_MS * 2,
}, async () => {
  launcher = await start();
  const first = run();
  expect(launcher.output()).toContain(first.consoleUrl);
  expect(launcher.output()).toContain(first.gatewayUrl);
  expect((await fetch(`${first.gatewayUrl}/readyz`)).status).toBe(200);
  expect((await fetch(`${first.consoleUrl}/readyz`)).status).toBe(200);
  expect(statSync(join(home, 'demo-key')).mode & 0o777).toBe(0o600);
  const written = await callWithDemoKey(first.gatewayUrl, 'PUT');
  expect(written.status).toBeLessThan(300);
  expect(await cosmosRegions()).toEqual([
    { name: 'East', url: `http://127.0.0.1:${first.ports.cosmos}` },
    { name: 'West', url: `http://127.0.0.1:${first.ports.cosmosWest}` },
  ]);

  expect(await launcher.end('SIGTERM')).toBe(0);
  expect(Object.values(first.pids).filter(isProcessAlive)).toEqual([]);
  expect(existsSync(join(home, 'run.json'))).toBe(false);

  launcher = await start();
  const read = await callWithDemoKey(run().gatewayUrl, 'GET');
  expect(read.status).toBe(200);
  expect(await read.text()).toBe('hello');
  const { ports } = run();
  expect([ports.cosmosWest, ports.cosmosAdmin]).toEqual([first.ports.cosmosWest, first.ports.cosmosAdmin]);
});

test('processes that die come back on the same addresses, and one line says which', {
  timeout: START_MS * 2,
}, async () => {
  launcher = await start();
  const before = run();
  for (const name of ['gateway', 'cosmos', 'postgres', 'console'] as const) {
    process.kill(before.pids[name], 'SIGKILL');
    await waitUntil(() => run().pids[name] !== before.pids[name], 60_000);
    expect(launcher.output()).toContain(`${name} ended`);
  }
  const after = run();
  expect([after.consoleUrl, after.gatewayUrl, after.cosmosUrl, after.ports]).toEqual([
    before.consoleUrl,
    before.gatewayUrl,
    before.cosmosUrl,
    before.ports,
  ]);
  await waitUntil(async () => (await callWithDemoKey(after.gatewayUrl, 'PUT')).status < 300, 60_000);
});

test('a launcher killed with kill -9 leaves nothing behind, and the next start works', {
  timeout: START_MS * 2,
}, async () => {
  launcher = await start();
  const { pids } = run();
  await launcher.end('SIGKILL');
  for (const pid of Object.values(pids)) expect(await isGoneWithin(pid, 60_000)).toBe(true);
  launcher = await start();
  expect((await fetch(`${run().gatewayUrl}/readyz`)).status).toBe(200);
});

test('a second launcher on the same data is refused', { timeout: START_MS * 2 }, async () => {
  launcher = await start();
  const second = spawnLauncher();
  expect(await second.gone).toBe(1);
  expect(second.output()).toContain(`already runs on ${home}`);
  expect(isProcessAlive(run().pids.gateway)).toBe(true);
});

type Launcher = {
  readonly child: ChildProcess;
  readonly gone: Promise<number | null>;
  output(): string;
  end(signal: NodeJS.Signals): Promise<number | null>;
};

async function start(): Promise<Launcher> {
  rmSync(join(home, 'run.json'), { force: true });
  const started = spawnLauncher();
  await waitUntil(() => {
    if (started.child.exitCode !== null) throw new Error(started.output());
    return existsSync(join(home, 'run.json'));
  }, START_MS);
  return started;
}

function spawnLauncher(): Launcher {
  const ports = { CONSOLE_PORT: '0', GATEWAY_PORT: '0', COSMOS_PORT: '0' };
  const child = spawn(process.execPath, ['server/launch/main.ts'], {
    cwd: root,
    env: {
      NODE_ENV: 'production',
      PATH: process.env.PATH ?? '',
      HOME: process.env.HOME ?? '',
      HABITAT_HOME: home,
      ...ports,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  const gone = new Promise<number | null>((done) => child.once('exit', done));
  const end = (signal: NodeJS.Signals) => {
    child.kill(signal);
    return gone;
  };
  return { child, gone, output: () => output, end };
}

function run(): z.infer<typeof runSchema> {
  return runSchema.parse(JSON.parse(readFileSync(join(home, 'run.json'), 'utf8')));
}

/** Regions as the admin port of the local endpoint tells them to whoever has the token, which nobody else can read. */
async function cosmosRegions(): Promise<readonly object[]> {
  const file = join(home, 'cosmos-admin-token');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const url = `http://127.0.0.1:${run().ports.cosmosAdmin}/state`;
  expect((await fetch(url)).status).toBe(401);
  const reply = await fetch(url, { headers: { authorization: `Bearer ${readFileSync(file, 'utf8').trim()}` } });
  const { accounts } = LocalCosmosState.parse(await reply.json());
  return accounts.flatMap(({ regions }) => regions.map(({ name, url: at }) => ({ name, url: at })));
}

async function callWithDemoKey(gatewayUrl: string, method: 'GET' | 'PUT'): Promise<Response> {
  const key = readFileSync(join(home, 'demo-key'), 'utf8').trim();
  return fetch(`${gatewayUrl}/v1/chat/objects/Message/launcher-1`, {
    method,
    headers: { authorization: `Bearer ${key}` },
    ...(method === 'PUT' ? { body: 'hello' } : {}),
  }).catch(() => new Response(null, { status: 599 }));
}
