import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { applyMigrations } from '#server/db/apply-migrations.ts';
import { createDatabase, type TestDatabase } from '#test/support/postgres.ts';

let database: TestDatabase;
let folder: string;

beforeEach(async () => {
  database = await createDatabase({ empty: true });
  folder = mkdtempSync(join(tmpdir(), 'habitat-migrations-'));
  writeMigration('1_first', 'CREATE TABLE first (id int);');
});

afterEach(async () => {
  await database.drop();
  rmSync(folder, { recursive: true });
});

test('pending migrations are applied in order and only once', async () => {
  writeMigration('2_second', 'ALTER TABLE first ADD COLUMN name text;');
  expect(await applyMigrations(database.url, folder)).toEqual(['1_first', '2_second']);
  expect(await applyMigrations(database.url, folder)).toEqual([]);
  expect(await query("SELECT column_name FROM information_schema.columns WHERE table_name = 'first'")).toHaveLength(2);
});

test('function bodies with semicolons arrive whole', async () => {
  const body = 'CREATE FUNCTION two() RETURNS int AS $$ BEGIN PERFORM 1; RETURN 2; END; $$ LANGUAGE plpgsql;';
  writeMigration('2_function', body);
  await applyMigrations(database.url, folder);
  expect(await query('SELECT two()')).toEqual([{ two: 2 }]);
});

test('several starters at once apply each migration once', async () => {
  const applied = await Promise.all([1, 2, 3, 4].map(() => applyMigrations(database.url, folder)));
  expect(applied.flat()).toEqual(['1_first']);
});

test('a migration that fails is undone whole and named', async () => {
  writeMigration('2_broken', 'CREATE TABLE half (id int); SELECT no_such_column;');
  await expect(applyMigrations(database.url, folder)).rejects.toThrow(/2_broken failed and was undone.*no_such_column/);
  expect(await query("SELECT to_regclass('half') AS half")).toEqual([{ half: null }]);
  expect(await query('SELECT migration_name FROM _prisma_migrations')).toEqual([{ migration_name: '1_first' }]);
});

test('a database newer than the code is refused', async () => {
  writeMigration('2_future', 'SELECT 1;');
  await applyMigrations(database.url, folder);
  rmSync(join(folder, '2_future'), { recursive: true });
  await expect(applyMigrations(database.url, folder)).rejects.toThrow(/newer than this Habitat.*2_future/);
});

test('a migration edited after it was applied is refused', async () => {
  await applyMigrations(database.url, folder);
  writeMigration('1_first', 'CREATE TABLE first (id bigint);');
  await expect(applyMigrations(database.url, folder)).rejects.toThrow(/1_first was edited/);
});

test('a migration that another tool left half-way is refused', async () => {
  await applyMigrations(database.url, folder);
  await query('UPDATE _prisma_migrations SET finished_at = NULL');
  await expect(applyMigrations(database.url, folder)).rejects.toThrow(/1_first did not finish/);
});

function writeMigration(name: string, sql: string): void {
  mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, name, 'migration.sql'), sql);
}

async function query(sql: string): Promise<readonly unknown[]> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
