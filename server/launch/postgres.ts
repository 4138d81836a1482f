import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { LaunchError } from './launch-error.ts';
import { findFreePort, isPortFree } from './ports.ts';
import { findPostgresPlace, type PostgresPlace } from './postgres-account.ts';
import { type PostgresBinaries, preparePostgresBinaries } from './postgres-binaries.ts';
import { ensureCluster, POSTGRES_USER } from './postgres-cluster.ts';
import { commandLine, isErrno, isProcessAlive, stopProcess } from './processes.ts';
import { readOrCreateSecret } from './secret-file.ts';

export type PostgresOptions = {
  /** Holds the password, the port and, where the account can enter it, the data. */
  readonly folder: string;
  readonly logFile: string;
  /** Made when missing; `url` names it. */
  readonly database: string;
  /** False trades safety against a crash of the machine for speed. Tests only. */
  readonly durable: boolean;
};

export type PostgresServer = {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** True when a server already ran on this data and we use it. */
  readonly joined: boolean;
  /** Resolves when the server is gone, for whatever reason. */
  readonly exited: Promise<void>;
  /** Fast shutdown: sessions are ended, everything committed is kept. Resolves when the process is gone. */
  stop(): Promise<void>;
};

type Attempt = PostgresOptions & {
  readonly place: PostgresPlace;
  readonly binaries: PostgresBinaries;
  readonly password: string;
};

/** For starts that fail at once; a recovery after a crash may take as long as it needs. */
const RETRY_MS = 15_000;
const POLL_MS = 25;

/**
 * Starts PostgreSQL on the data in `folder`, making it at first use, or joins the server that already runs on it.
 * Listens on 127.0.0.1 only, on a port chosen once and remembered. Recovers from `kill -9`.
 */
export async function startPostgres(options: PostgresOptions): Promise<PostgresServer> {
  const place = findPostgresPlace(options.folder);
  const binaries = preparePostgresBinaries(place);
  const password = readOrCreateSecret(join(options.folder, 'password'));
  ensureCluster(place, binaries, password);
  const attempt: Attempt = { ...options, place, binaries, password };
  const deadline = performance.now() + RETRY_MS;
  for (;;) {
    const server = (await joinRunning(attempt)) ?? (await start(attempt));
    if (server !== undefined) {
      await ensureDatabase(attempt, server.port);
      return server;
    }
    if (performance.now() > deadline)
      throw new LaunchError(`PostgreSQL did not start: ${lastLogLine(options.logFile)}`);
    // Another server is starting or ending on this data, or its last session still holds the memory.
    await pause(200);
  }
}

/** Connection string for another database of the same server. */
export function urlOfDatabase(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}

async function joinRunning(attempt: Attempt): Promise<PostgresServer | undefined> {
  const pidFile = readPidFile(attempt.place);
  if (pidFile === undefined) return undefined;
  const { pid, port } = pidFile;
  if ((await servedFolder(attempt, port)) === attempt.place.data) {
    return { ...describe(attempt, port, pid), joined: true, exited: whenGone(pid) };
  }
  // The number may have been given to another program after a crash of the machine; only a postgres counts.
  const isPostgres = commandLine(pid)?.includes('postgres') ?? isProcessAlive(pid);
  if (!isProcessAlive(pid) || !isPostgres) rmSync(join(attempt.place.data, 'postmaster.pid'), { force: true });
  return undefined;
}

async function start(attempt: Attempt): Promise<PostgresServer | undefined> {
  const port = await choosePort(attempt.folder);
  const log = openSync(attempt.logFile, 'a', 0o600);
  const child = spawn(attempt.binaries.postgres, serverArguments(attempt, port), {
    ...attempt.place.account,
    cwd: attempt.place.root,
    env: { ...process.env, LC_ALL: 'C' },
    stdio: ['ignore', log, log],
    // A group of its own: Ctrl-C in the terminal must reach only the launcher, which then stops things in order.
    detached: true,
  });
  closeSync(log);
  const gone = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  let isGone = false;
  gone.then(() => {
    isGone = true;
  });
  while (!isGone && child.pid !== undefined) {
    if ((await servedFolder(attempt, port)) === attempt.place.data) {
      return { ...describe(attempt, port, child.pid), joined: false, exited: gone };
    }
    await pause(POLL_MS);
  }
  return undefined;
}

function serverArguments({ place, durable }: Attempt, port: number): string[] {
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    timezone: 'UTC',
    log_timezone: 'UTC',
    ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  };
  return ['-D', place.data, '-p', String(port), ...Object.entries(settings).flatMap(([k, v]) => ['-c', `${k}=${v}`])];
}

function describe(attempt: Attempt, port: number, pid: number) {
  const url = `postgresql://${POSTGRES_USER}:${encodeURIComponent(attempt.password)}@127.0.0.1:${port}/${attempt.database}`;
  // SIGINT is Postgres' fast shutdown; SIGTERM would wait for every session to leave by itself.
  return { url, port, pid, stop: () => stopProcess(pid, { signal: 'SIGINT', graceMs: 20_000 }) };
}

async function choosePort(folder: string): Promise<number> {
  const file = join(folder, 'port');
  const remembered = Number.parseInt(readIfPresent(file) ?? '', 10);
  if (Number.isInteger(remembered) && (await isPortFree(remembered))) return remembered;
  const port = await findFreePort();
  writeFileSync(file, `${port}\n`);
  return port;
}

function readPidFile(place: PostgresPlace): { readonly pid: number; readonly port: number } | undefined {
  const lines = readIfPresent(join(place.data, 'postmaster.pid'))?.split('\n');
  const pid = Number.parseInt(lines?.[0] ?? '', 10);
  const port = Number.parseInt(lines?.[3] ?? '', 10);
  return Number.isInteger(pid) ? { pid: Math.abs(pid), port } : undefined;
}

/** The data folder of the server on that port, when it accepts our password. */
async function servedFolder(attempt: Attempt, port: number): Promise<string | undefined> {
  if (!Number.isInteger(port)) return undefined;
  return withClient(attempt, port, async (client) => {
    const reply = await client.query<{ data_directory: string }>('SHOW data_directory');
    return reply.rows[0]?.data_directory;
  }).catch(() => undefined);
}

async function ensureDatabase(attempt: Attempt, port: number): Promise<void> {
  await withClient(attempt, port, async (client) => {
    const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [attempt.database]);
    if (found.rowCount !== 0) return;
    await client.query(`CREATE DATABASE ${client.escapeIdentifier(attempt.database)}`).catch((error: unknown) => {
      if (!isErrno(error, '42P04', '23505')) throw error;
    });
  });
}

async function withClient<T>(attempt: Attempt, port: number, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    host: '127.0.0.1',
    port,
    user: POSTGRES_USER,
    password: attempt.password,
    database: 'postgres',
    connectionTimeoutMillis: 5_000,
  });
  // A server that goes away is reported by the query in progress; without a listener it would end our process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await use(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function whenGone(pid: number): Promise<void> {
  while (isProcessAlive(pid)) await pause(500, undefined, { ref: false });
}

function lastLogLine(logFile: string): string {
  return readIfPresent(logFile)?.trim().split('\n').at(-1) ?? 'it left no message';
}

function readIfPresent(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined;
    throw error;
  }
}
