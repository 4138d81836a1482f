import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createDatabase, type TestDatabase, testServerUrl } from '#test/support/postgres.ts';

// The real CLI of Prisma, over our engine, against a real database. One start of the CLI takes about a second.
const TIMEOUT_MS = 120_000;
const root = resolve(import.meta.dirname, '..', '..');

let database: TestDatabase;
let project: string;

beforeEach(async () => {
  database = await createDatabase({ empty: true });
  project = mkdtempSync(join(tmpdir(), 'habitat-prisma-'));
  mkdirSync(join(project, 'migrations'));
  writeModel('id Int @id');
});

afterEach(async () => {
  await database.drop();
  rmSync(project, { recursive: true });
});

test('migrate dev writes a migration, applies it, and status, diff and deploy agree', {
  timeout: TIMEOUT_MS,
}, async () => {
  expect(await prisma('migrate', 'dev', '--name', 'first')).toMatchObject({ code: 0 });
  expect(readFileSync(join(project, 'migrations', firstMigration(), 'migration.sql'), 'utf8')).toContain(
    'CREATE TABLE "Item"',
  );
  expect((await prisma('migrate', 'status')).output).toContain('Database schema is up to date');

  writeModel('id Int @id\n  name String?');
  const drift = await prisma(
    'migrate',
    'diff',
    '--from-config-datasource',
    '--to-schema',
    schemaPath(),
    '--script',
    '--exit-code',
  );
  expect(drift.code).toBe(2);
  expect(drift.output).toContain('ALTER TABLE "Item" ADD COLUMN     "name" TEXT');
  expect((await prisma('migrate', 'deploy')).output).toContain('No pending migrations');
});

test('migrations with function bodies, "char" columns and semicolons survive the shadow database', {
  timeout: TIMEOUT_MS,
}, async () => {
  await prisma('migrate', 'dev', '--name', 'first');
  writeMigration(
    '99990101000000_hand',
    `
    CREATE FUNCTION two() RETURNS int AS $$ BEGIN PERFORM 1; RETURN 2; END; $$ LANGUAGE plpgsql;
    CREATE TABLE "Odd" (id int PRIMARY KEY, kind "char" NOT NULL DEFAULT 'x', note text DEFAULT 'a;b');`,
  );
  expect(await prisma('migrate', 'deploy')).toMatchObject({ code: 0 });
  expect(await query('SELECT two()')).toEqual([{ two: 2 }]);
  const before = await databaseNames();
  const diff = await prisma(
    'migrate',
    'diff',
    '--from-migrations',
    join(project, 'migrations'),
    '--to-config-datasource',
    '--exit-code',
  );
  expect(diff).toMatchObject({ code: 0 });
  expect(await databaseNames()).toEqual(before);
});

test('building the shadow database leaves the real one alone', { timeout: TIMEOUT_MS }, async () => {
  await query('CREATE TABLE precious AS SELECT 1 AS one');
  writeMigration('1_drop', 'DROP TABLE IF EXISTS precious; CREATE TABLE "Item" (id int PRIMARY KEY);');
  await prisma(
    'migrate',
    'diff',
    '--from-migrations',
    join(project, 'migrations'),
    '--to-schema',
    schemaPath(),
    '--script',
  );
  expect(await query('SELECT one FROM precious')).toEqual([{ one: 1 }]);
  expect(await query(`SELECT to_regclass('"Item"') AS item`)).toEqual([{ item: null }]);
});

test('a failing migration is named with its reason, blocks later ones and can be resolved', {
  timeout: TIMEOUT_MS,
}, async () => {
  writeMigration('1_broken', 'CREATE TABLE half (id int); SELECT no_such_column;');
  const failed = await prisma('migrate', 'deploy');
  expect(failed.code).toBe(1);
  expect(failed.output).toMatch(/no_such_column[\s\S]*1_broken/);
  expect((await prisma('migrate', 'deploy')).output).toContain('P3009');
  // One simple query is one transaction: nothing of the script stays.
  expect(await query(`SELECT to_regclass('half') AS half`)).toEqual([{ half: null }]);
  expect(await prisma('migrate', 'resolve', '--rolled-back', '1_broken')).toMatchObject({ code: 0 });
  rmSync(join(project, 'migrations', '1_broken'), { recursive: true });
  expect(await prisma('migrate', 'deploy')).toMatchObject({ code: 0 });
});

test('db push and migrate reset work', { timeout: TIMEOUT_MS }, async () => {
  expect(await prisma('db', 'push')).toMatchObject({ code: 0 });
  await query('INSERT INTO "Item" VALUES (1)');
  expect(await prisma('migrate', 'reset', '--force')).toMatchObject({ code: 0 });
  expect(await query(`SELECT to_regclass('"Item"') AS item`)).toEqual([{ item: null }]);
});

test('a missing database is made; a wrong password and an unreachable server have their codes', {
  timeout: TIMEOUT_MS,
}, async () => {
  await database.drop();
  expect((await prisma('migrate', 'status')).output).toContain('P1003');
  expect(await prisma('migrate', 'dev', '--name', 'first')).toMatchObject({ code: 0 });
  const wrongPassword = database.url.replace(/:[^:@]+@/, ':wrong@');
  expect((await prismaWith(wrongPassword, 'migrate', 'status')).output).toContain('P1000');
  expect((await prismaWith('postgresql://a:b@127.0.0.1:1/x', 'migrate', 'status')).output).toContain('P1001');
});

type Outcome = { readonly code: number; readonly output: string };

function prisma(...args: readonly string[]): Promise<Outcome> {
  return prismaWith(database.url, ...args);
}

function prismaWith(url: string, ...args: readonly string[]): Promise<Outcome> {
  const config = { schema: schemaPath(), migrations: { path: join(project, 'migrations') }, datasource: { url } };
  writeFileSync(join(project, 'prisma.config.mjs'), `export default ${JSON.stringify(config)};`);
  const env = {
    ...process.env,
    // `migrate dev` runs at a terminal only.
    CI: '',
    TERM: 'xterm',
    PRISMA_SCHEMA_ENGINE_BINARY: join(root, 'prisma', 'engine', 'schema-engine'),
    PRISMA_HIDE_UPDATE_MESSAGE: '1',
    CHECKPOINT_DISABLE: '1',
  };
  const command = [
    '--import',
    'data:text/javascript,process.stdin.isTTY=true',
    join(root, 'node_modules', 'prisma', 'build', 'index.js'),
    ...args,
    '--config',
    join(project, 'prisma.config.mjs'),
  ];
  return new Promise((done) => {
    execFile(process.execPath, command, { cwd: project, env }, (error, stdout, stderr) => {
      done({ code: typeof error?.code === 'number' ? error.code : error === null ? 0 : 1, output: stdout + stderr });
    });
  });
}

function schemaPath(): string {
  return join(project, 'schema.prisma');
}

function writeModel(fields: string): void {
  writeFileSync(schemaPath(), `datasource db {\n  provider = "postgresql"\n}\n\nmodel Item {\n  ${fields}\n}\n`);
}

function writeMigration(name: string, sql: string): void {
  mkdirSync(join(project, 'migrations', name));
  writeFileSync(join(project, 'migrations', name, 'migration.sql'), sql);
  writeFileSync(join(project, 'migrations', 'migration_lock.toml'), 'provider = "postgresql"\n');
}

function firstMigration(): string {
  return readdirSync(join(project, 'migrations')).find((name) => name.endsWith('_first')) ?? '';
}

async function databaseNames(): Promise<readonly unknown[]> {
  return queryOn(await testServerUrl(), "SELECT datname FROM pg_database WHERE datname LIKE 'prisma_migrate%'");
}

function query(sql: string): Promise<readonly unknown[]> {
  return queryOn(database.url, sql);
}

async function queryOn(url: string, sql: string): Promise<readonly unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
