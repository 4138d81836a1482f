import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase, type Database } from '#server/db/client.ts';
import { EnvError } from '#server/env.ts';
import { readiness } from '#server/live/readiness.ts';
import { openBareConsole } from '#test/support/bare-console.ts';
import { createDatabase as createTestDatabase, type TestDatabase } from '#test/support/postgres.ts';

const test = await openBareConsole();

const opened: Database[] = [];
let empty: TestDatabase;

function open(url: string): Database {
  const db = createDatabase(url);
  opened.push(db);
  return db;
}

beforeAll(async () => {
  empty = await createTestDatabase({ empty: true });
});

afterAll(async () => {
  for (const db of opened) await db.$disconnect();
  await empty.drop();
});

describe('/readyz of the console', () => {
  it('is ready with its database and tables', async () => {
    const reply = await readiness(async () => test.installation);
    expect([reply.status, await reply.json()]).toEqual([200, { ready: true, missing: [] }]);
  });

  it('names a wrong environment and an unreadable signing key', async () => {
    const env = await readiness(() => Promise.reject(new EnvError('DATABASE_URL: is not set.')));
    expect([env.status, await env.json()]).toEqual([503, { ready: false, missing: ['DATABASE_URL: is not set.'] }]);
    const key = await readiness(() => Promise.reject(new Error('ENOENT')));
    expect(await key.json()).toMatchObject({ missing: [expect.stringContaining('HABITAT_SIGNING_KEY_FILE')] });
  });

  it('names a database that is away', async () => {
    const db = open('postgresql://nobody@127.0.0.1:1/nothing');
    const reply = await readiness(async () => ({ ...test.installation, db }));
    expect([reply.status, await reply.json()]).toMatchObject([
      503,
      { missing: [expect.stringContaining('cannot reach its database')] },
    ]);
  });

  it('names a database without tables', async () => {
    const db = open(empty.url);
    const reply = await readiness(async () => ({ ...test.installation, db }));
    expect(await reply.json()).toMatchObject({ missing: [expect.stringContaining('migrations were not applied')] });
  });
});
