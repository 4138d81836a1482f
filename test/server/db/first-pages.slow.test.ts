import pg from 'pg';
import { afterAll, expect, it } from 'vitest';
import { openBareConsole } from '#test/support/bare-console.ts';
import { addBulkRows } from '#test/support/bulk-rows.ts';
import { FIRST_PAGES } from '#test/support/first-pages.ts';

/** Every statement that reaches the database from this process, whoever sends it. */
const statements: string[] = [];
const send = pg.Client.prototype.query;
pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
  const [first] = args;
  statements.push(typeof first === 'string' ? first : String((first as { text?: string }).text));
  return Reflect.apply(send, this, args);
} as typeof send;
afterAll(() => {
  pg.Client.prototype.query = send;
});

const few = await openBareConsole();
const many = await openBareConsole();
const sizeOf = (rows: number) => ({
  ...{ objectTypes: rows, edgeTypes: rows, tenants: rows, policies: rows, changes: rows },
  ...{ releases: rows, auditRows: rows, gateways: Math.min(rows, 200) },
});
await addBulkRows(few.db, sizeOf(10));
await addBulkRows(many.db, sizeOf(10_000));

it.each(Object.entries(FIRST_PAGES))(
  'the first page of %s takes as many queries of 10,000 rows as of 10',
  async (_, ask) => {
    const counts: number[] = [];
    for (const { ctxOf } of [few, many]) {
      const ctx = ctxOf({ roles: ['admin'], teams: ['chat'] });
      // What is remembered after the first look, such as the day's partition, is not part of a page.
      await ask(ctx);
      statements.length = 0;
      const { length } = await ask(ctxOf({ roles: ['admin'], teams: ['chat'] }));
      counts.push(statements.length);
      expect(length).toBeGreaterThan(1);
    }
    expect(counts[0]).toBeGreaterThan(0);
    expect(counts[1]).toBe(counts[0]);
    expect(counts[0]).toBeLessThanOrEqual(16);
  },
);
