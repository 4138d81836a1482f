import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { applyMigrations } from '#server/db/apply-migrations.ts';
import { createDatabase } from '#test/support/postgres.ts';

const root = resolve(import.meta.dirname, '..', '..');

test('the migrations make exactly the schema, and the start of the server agrees with the CLI', {
  timeout: 120_000,
}, async () => {
  const database = await createDatabase({ empty: true });
  try {
    await applyMigrations(database.url);
    const status = await prisma(database.url, 'migrate', 'status');
    expect(status.output).toContain('Database schema is up to date');
    const diff = await prisma(
      database.url,
      'migrate',
      'diff',
      '--from-migrations',
      'prisma/migrations',
      '--to-schema',
      'prisma/schema.prisma',
      '--exit-code',
    );
    expect(diff, 'schema.prisma and prisma/migrations differ').toMatchObject({ code: 0 });
  } finally {
    await database.drop();
  }
});

function prisma(url: string, ...args: readonly string[]): Promise<{ readonly code: number; readonly output: string }> {
  const cli = join(root, 'node_modules', 'prisma', 'build', 'index.js');
  return new Promise((done) => {
    execFile(
      process.execPath,
      [cli, ...args],
      { cwd: root, env: { ...process.env, DATABASE_URL: url } },
      (error, stdout, stderr) => {
        done({ code: typeof error?.code === 'number' ? error.code : error === null ? 0 : 1, output: stdout + stderr });
      },
    );
  });
}
