import pg from 'pg';
import { runStatement } from './adapter.ts';
import { type Connection, parseConnection } from './connection.ts';

/** A failure with the code that Prisma's CLI knows it by. */
export class EngineError extends Error {
  override readonly name = 'EngineError';
  readonly code: string;
  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Opens and closes one session. Fails with P1000 (credentials), P1001 (unreachable) or P1003 (no such database). */
export async function checkConnection(url: string): Promise<void> {
  const connection = parseConnection(url);
  try {
    await runStatement(connection, 'SELECT 1');
  } catch (error) {
    throw explain(error, connection);
  }
}

/** Makes the database that the URL names and returns its name. */
export async function createDatabase(url: string): Promise<string> {
  const { database } = parseConnection(url);
  await onMaintenance(url, `CREATE DATABASE ${pg.escapeIdentifier(database)}`);
  return database;
}

/** Drops the database that the URL names, ending the sessions in it. */
export async function dropDatabase(url: string): Promise<void> {
  const { database } = parseConnection(url);
  await onMaintenance(url, `DROP DATABASE IF EXISTS ${pg.escapeIdentifier(database)} WITH (FORCE)`);
}

async function onMaintenance(url: string, statement: string): Promise<void> {
  const connection = { ...parseConnection(url), database: 'postgres' };
  try {
    await runStatement(connection, statement);
  } catch (error) {
    throw explain(error, connection);
  }
}

const unreachable = ['ECONNREFUSED', 'ECONNRESET', 'EHOSTUNREACH', 'ENOTFOUND', 'ETIMEDOUT', 'EAI_AGAIN'];

function explain(cause: unknown, connection: Connection): unknown {
  if (!(cause instanceof Error)) return cause;
  const code = 'code' in cause ? String(cause.code) : '';
  const { host, port, user, database } = connection;
  if (code === '28P01' || code === '28000') {
    const message = `Authentication failed against database server, the provided database credentials for \`${user}\` are not valid.`;
    return new EngineError('P1000', message, { cause });
  }
  if (unreachable.includes(code) || /timeout/i.test(cause.message)) {
    return new EngineError('P1001', `Can't reach database server at \`${host}:${port}\``, { cause });
  }
  if (code === '3D000') return new EngineError('P1003', `Database \`${database}\` does not exist`, { cause });
  if (code === '42P04') return new EngineError('P1009', `Database \`${database}\` already exists`, { cause });
  return cause;
}
