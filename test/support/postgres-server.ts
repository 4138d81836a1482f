import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { applyMigrations } from '#server/db/apply-migrations.ts';
import { type PostgresServer, startPostgres, urlOfDatabase } from '#server/launch/postgres.ts';
import { startWatchdog, type Watchdog } from '#server/launch/watchdog.ts';

/** The migrated database that every test database is a copy of. */
const TEMPLATE = 'habitat_template';

declare module 'vitest' {
  interface ProvidedContext {
    /** Answers with the server's address; the first question starts the server. */
    readonly postgresDoor: string;
  }
}

/**
 * Vitest's global setup: one PostgreSQL for the whole run, without fsync, started by the first test file that asks,
 * so that a run of tests without a database does not pay for one.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  let running: Promise<RunningServer> | undefined;
  const door = createServer((_request, reply) => {
    running ??= startServer();
    running.then(
      ({ server }) => reply.end(server.url),
      (error: unknown) => {
        reply.statusCode = 500;
        reply.end(error instanceof Error ? (error.stack ?? error.message) : String(error));
      },
    );
  });
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve));
  const address = door.address();
  if (typeof address !== 'object' || address === null) throw new Error('the door has no port');
  project.provide('postgresDoor', `http://127.0.0.1:${address.port}/`);
  return async () => {
    door.close();
    door.closeAllConnections();
    if (running !== undefined) await stopServer(await running);
  };
}

type RunningServer = { readonly server: PostgresServer; readonly folder: string; readonly watchdog: Watchdog };

async function startServer(): Promise<RunningServer> {
  const folder = mkdtempSync(join(tmpdir(), 'habitat-test-postgres-'));
  // Started by root, the server runs as another user, who must be able to walk in.
  chmodSync(folder, 0o711);
  const logFile = join(folder, 'postgres.log');
  const server = await startPostgres({
    folder: join(folder, 'postgres'),
    logFile,
    database: 'postgres',
    durable: false,
  });
  // A killed test run must not leave its server behind.
  const watchdog = startWatchdog();
  watchdog.watch([{ pid: server.pid, signal: 'SIGINT', graceMs: 5_000 }]);
  await makeTemplate(server);
  return { server, folder, watchdog };
}

async function makeTemplate(server: PostgresServer): Promise<void> {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  try {
    await client.query(`CREATE DATABASE ${TEMPLATE}`);
    if (hasMigrations()) await applyMigrations(urlOfDatabase(server.url, TEMPLATE));
    await client.query(`ALTER DATABASE ${TEMPLATE} WITH ALLOW_CONNECTIONS false IS_TEMPLATE true`);
  } finally {
    await client.end();
  }
}

function hasMigrations(): boolean {
  return existsSync('prisma/migrations');
}

async function stopServer({ server, folder, watchdog }: RunningServer): Promise<void> {
  await server.stop();
  await watchdog.dismiss();
  rmSync(folder, { recursive: true, force: true });
}
