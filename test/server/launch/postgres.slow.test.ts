import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type PostgresServer, startPostgres } from '#server/launch/postgres.ts';
import { isGoneWithin, isProcessAlive } from '#server/launch/processes.ts';

let home: string;
let started: PostgresServer[];

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'habitat-postgres-'));
  chmodSync(home, 0o711);
  started = [];
});

afterEach(async () => {
  for (const server of started) await server.stop();
  rmSync(home, { recursive: true });
});

test('what was committed is there at the next start, on the same port', async () => {
  const first = await start();
  await query(first, 'CREATE TABLE kept AS SELECT 42 AS answer');
  await first.stop();
  expect(isProcessAlive(first.pid)).toBe(false);
  const second = await start();
  expect(second.port).toBe(first.port);
  expect(await query(second, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
});

test('a server killed with kill -9 recovers everything it acknowledged', async () => {
  const first = await start();
  await query(first, 'CREATE TABLE kept AS SELECT 42 AS answer');
  process.kill(first.pid, 'SIGKILL');
  await first.exited;
  const second = await start();
  expect(second.joined).toBe(false);
  expect(await query(second, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
});

test('a second starter joins the running server and can stop it', async () => {
  const first = await start();
  const second = await start();
  expect(second.joined).toBe(true);
  expect(second.pid).toBe(first.pid);
  await second.stop();
  expect(await isGoneWithin(first.pid, 1_000)).toBe(true);
});

test('several first starters at once end with one server', async () => {
  const servers = await Promise.all([start(), start(), start()]);
  expect(new Set(servers.map((server) => server.pid)).size).toBe(1);
  expect(servers.filter((server) => !server.joined)).toHaveLength(1);
});

test('a pid file that names a process which is no Postgres does not block the start', async () => {
  const first = await start();
  await first.stop();
  const pidFile = join(dataFolder(), 'postmaster.pid');
  writeFileSync(pidFile, `${process.pid}\n${dataFolder()}\n1\n${first.port}\n\n127.0.0.1\n`);
  const second = await start();
  expect(second.joined).toBe(false);
});

test('a remembered port that someone else took is replaced', async () => {
  const first = await start();
  await first.stop();
  const squatter = createServer().listen(first.port, '127.0.0.1');
  try {
    const second = await start();
    expect(second.port).not.toBe(first.port);
  } finally {
    squatter.close();
  }
});

test('a half-made data folder from a crash is not mistaken for a cluster', async () => {
  const first = await start();
  await first.stop();
  rmSync(join(dataFolder(), 'PG_VERSION'));
  await expect(start()).rejects.toThrow(/is damaged/);
});

test.runIf(process.getuid?.() === 0)(
  'root under a closed folder gets data outside it, found again at the next start',
  async () => {
    chmodSync(home, 0o700);
    try {
      const first = await start();
      expect(dataFolder().startsWith(home)).toBe(false);
      await query(first, 'CREATE TABLE kept AS SELECT 42 AS answer');
      await first.stop();
      expect(await query(await start(), 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
    } finally {
      for (const server of started) await server.stop();
      rmSync(join(dataFolder(), '..'), { recursive: true });
    }
  },
);

test('the password is readable by its owner only and strangers are refused', async () => {
  const server = await start();
  expect(statSync(join(home, 'postgres', 'password')).mode & 0o777).toBe(0o600);
  const stranger = new pg.Client({ connectionString: server.url.replace(/:[^:@]+@/, ':wrong@') });
  await expect(stranger.connect()).rejects.toMatchObject({ code: '28P01' });
});

test('the server never runs as root', async () => {
  const server = await start();
  const owner = existsSync(`/proc/${server.pid}`) ? statSync(`/proc/${server.pid}`).uid : process.getuid?.();
  expect(owner).not.toBe(0);
});

async function start(): Promise<PostgresServer> {
  const server = await startPostgres({
    folder: join(home, 'postgres'),
    logFile: join(home, 'postgres.log'),
    database: 'habitat',
    durable: true,
  });
  started.push(server);
  return server;
}

/** As root the data lies where the account may go, which the folder remembers. */
function dataFolder(): string {
  const location = join(home, 'postgres', 'location');
  const root = existsSync(location) ? readFileSync(location, 'utf8').trim() : join(home, 'postgres');
  return join(root, 'data');
}

async function query(server: PostgresServer, sql: string): Promise<readonly unknown[]> {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
