import { randomUUID } from 'node:crypto';
import { PrismaPg } from '@prisma/adapter-pg';
import type { SqlDriverAdapter, SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import pg from 'pg';
import { type Connection, parseConnection, schemaOf } from './connection.ts';
import { repairAdapter } from './repair-adapter.ts';

/** What the engine connects through. Shadow databases are made beside the real one and dropped after use. */
export function createAdapterFactory(url: string): SqlMigrationAwareDriverAdapterFactory {
  const connection = parseConnection(url);
  const schema = schemaOf(url);
  return {
    provider: 'postgres',
    adapterName: '@prisma/adapter-pg',
    connect: () => connectTo(connection, schema),
    connectToShadowDb: () => connectToShadow(connection),
  };
}

/** Runs one statement in a session of its own. */
export async function runStatement(connection: Connection, statement: string): Promise<void> {
  const client = new pg.Client(connection);
  try {
    await client.connect();
    await client.query(statement);
  } finally {
    await client.end();
  }
}

async function connectTo(connection: Connection, schema: string): Promise<SqlDriverAdapter> {
  return repairAdapter(await new PrismaPg(connection, { schema }).connect());
}

async function connectToShadow(connection: Connection): Promise<SqlDriverAdapter> {
  const database = `prisma_migrate_shadow_db_${randomUUID()}`;
  await runStatement(connection, `CREATE DATABASE "${database}"`);
  const adapter = await connectTo({ ...connection, database }, 'public');
  const endPool = adapter.dispose.bind(adapter);
  adapter.dispose = async () => {
    // Postgres refuses to drop a database that is in use, so our own session ends first.
    await endPool();
    await runStatement(connection, `DROP DATABASE IF EXISTS "${database}" WITH (FORCE)`);
  };
  return adapter;
}
