import pg from 'pg';
import { afterAll, expect, it } from 'vitest';
import { ReleaseDenials } from '#server/contract/denials.ts';
import { readDenials } from '#server/releases/read-denials.ts';
import { changeActs } from '#test/server/changes/acts.ts';
import { policy } from '#test/server/compile/fixture.ts';
import { testConsole } from '#test/server/console.ts';

/** Every statement that reaches the database from this process. */
let statements = 0;
const send = pg.Client.prototype.query;
pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
  statements += 1;
  return Reflect.apply(send, this, args);
} as typeof send;
afterAll(() => {
  pg.Client.prototype.query = send;
});

const console = await testConsole();
const { db } = console;
const acts = changeActs(console);
const forbidsAll = policy('no-messages', 'forbid (principal, action, resource == ObjectType::"Message");');
const number = await acts.publish('ana', await acts.approved([forbidsAll], ['sam'])).then(({ release }) => release);
const ask = async () => {
  const ctx = await console.as('sam');
  statements = 0;
  const denials = ReleaseDenials.parse(await readDenials(ctx, { number }));
  return { denials, queries: statements };
};

/** Clients by the thousand, each refused as often as its number says. */
async function refuseClients(from: number, to: number): Promise<void> {
  await db.$executeRaw`
    INSERT INTO definition_revision (kind, name, revision, release_number, at, author_id, author_name, reason, document)
    SELECT 'principal', 'client-' || n, 1, 1, at, author_id, author_name, reason, document
    FROM definition_revision, generate_series(${from}::int, ${to}::int) AS n
    WHERE kind = 'principal' AND name = 'chat-api' AND revision = 1`;
  await db.$executeRaw`
    INSERT INTO refusal_count SELECT ${number}::int, 'chat', 'client-' || n, 'object.get', 'Message', '', 'forbidden',
      'no-messages', n, now(), now(), 'req_' || n FROM generate_series(${from}::int, ${to}::int) AS n`;
}

it('ten thousand denied clients take as many queries as three, and the page tells the busiest and that there are more', async () => {
  await refuseClients(1, 3);
  const few = await ask();
  expect(few.denials).toMatchObject({ isWhole: true, total: { denials: 3, principals: 3, requests: 6 } });
  await refuseClients(4, 10_000);
  const { denials, queries } = await ask();
  expect([queries, queries <= 10]).toEqual([few.queries, true]);
  expect(denials.denials.map(({ requests }) => requests)).toEqual(Array.from({ length: 200 }, (_, at) => 10_000 - at));
  expect(denials).toMatchObject({ isWhole: false, total: { denials: 2_000, principals: 2_000 }, refusedBefore: 0 });
  expect(denials.denials[0]).toMatchObject({ principal: 'client-10000', policy: 'no-messages', actorKind: 'service' });
});

it('looks through twenty later releases that matter, counts up to there and says so', async () => {
  await db.$executeRaw`
    INSERT INTO definition_revision (kind, name, revision, release_number, at, author_id, author_name, reason, document)
    SELECT kind, name, revision + n, ${number}::int + n, at, author_id, author_name, reason, document
    FROM definition_revision, generate_series(1, 30) AS n WHERE name = 'no-messages' AND revision = 1`;
  await db.$executeRaw`
    INSERT INTO refusal_count SELECT ${number}::int + n, 'chat', 'chat-api', 'object.get', 'Message', '', 'forbidden',
      'no-messages', 1000000, now(), now(), 'req_later' FROM generate_series(1, 30) AS n`;
  const { denials } = await ask();
  expect(denials.through).toBe(number + 20);
  expect(denials.denials[0]).toMatchObject({ principal: 'chat-api', requests: 20_000_000, until: null });
});
