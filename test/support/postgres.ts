import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, inject } from 'vitest';
import { urlOfDatabase } from '#server/launch/postgres.ts';

export type TestDatabase = { readonly url: string; drop(): Promise<void> };

/**
 * Connection string of a fresh, migrated database of its own, about 0.2 s after the call. It is dropped when the test
 * file ends. Call it at the top of the file: `const url = await testDatabaseUrl();`
 */
export async function testDatabaseUrl(): Promise<string> {
  const database = await createDatabase();
  afterAll(() => database.drop());
  return database.url;
}

/** A fresh copy of the migrated template, or (`empty`) a database with nothing in it. The caller drops it. */
export async function createDatabase(options: { readonly empty?: boolean } = {}): Promise<TestDatabase> {
  const server = await testServerUrl();
  const name = `test_${randomBytes(8).toString('hex')}`;
  await runOn(server, `CREATE DATABASE ${name} TEMPLATE ${options.empty === true ? 'template0' : 'habitat_template'}`);
  return {
    url: urlOfDatabase(server, name),
    drop: () => runOn(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

/** Connection string of the run's server itself (superuser, database `postgres`). Starts it at the first call. */
export async function testServerUrl(): Promise<string> {
  const reply = await fetch(inject('postgresDoor'));
  const text = await reply.text();
  if (!reply.ok) throw new Error(`the test server did not start: ${text}`);
  return text;
}

async function runOn(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
