import 'server-only';
import { z } from 'zod';
import { AuditEvent } from '#server/contract/audit.ts';
import { ServerError } from '#server/contract/server-error.ts';
import { type Database, type Tx, withTransaction } from '#server/db/client.ts';
import { emptySql, type Sql, sql } from '#server/db/sql.ts';
import type { TimeCursor } from '#server/db/time-cursor.ts';
import type { AuditCondition } from './where.ts';

/** Counting stops here; the page then says *more than 10,000*. */
export const COUNTED = 10_000;

/** A row of the log and, for a gateway's, which phase of a request it tells. */
const Row = AuditEvent.extend({ atMs: z.number(), phase: z.string().nullable() });
export type FoundRow = z.infer<typeof Row>;

export interface Search {
  readonly condition: AuditCondition;
  readonly cursor: TimeCursor | null;
  readonly take: number;
}

/** With fewer rows than this to expect, they are all looked up by their words. */
const FEW = 50_000;

/**
 * The rows of a page in reading order (away from the cursor) and how many match in all, counted to COUNTED + 1.
 *
 * When words narrow the log to few rows, the index of words is the only way that may be planned: the planner takes words,
 * tabs and times for independent, and would now and then walk the whole log for rows that it believes to be everywhere.
 */
export async function findRows(
  db: Database,
  search: Search,
): Promise<{ readonly rows: readonly FoundRow[]; readonly total: number }> {
  return withTransaction(db, async (tx) => {
    // Compiling a query never pays off for a page.
    await tx.$queryRaw`SELECT set_config('jit', 'off', true)`;
    if (await isFew(tx, search.condition.words)) await allowOnlyWords(tx);
    const total = await countRows(tx, search.condition.where);
    return { rows: await readRows(tx, search), total };
  });
}

const Estimate = z.tuple([
  z.object({ 'QUERY PLAN': z.tuple([z.object({ Plan: z.object({ 'Plan Rows': z.number() }) })]) }),
]);

/** Whether the planner's statistics expect few rows with these words. They know each word, only not how words meet. */
async function isFew(tx: Tx, words: Sql | null): Promise<boolean> {
  if (words === null) return false;
  const plan = await tx.$queryRaw<unknown[]>`EXPLAIN (FORMAT JSON) SELECT 1 FROM audit_event e WHERE ${words}`;
  return Estimate.parse(plan)[0]['QUERY PLAN'][0].Plan['Plan Rows'] <= FEW;
}

/** For this transaction: no scan of the table or of an ordered index. */
async function allowOnlyWords(tx: Tx): Promise<void> {
  await tx.$queryRaw`SELECT set_config('enable_seqscan', 'off', true), set_config('enable_indexscan', 'off', true),
    set_config('enable_indexonlyscan', 'off', true)`;
}

async function countRows(tx: Tx, where: Sql): Promise<number> {
  const [counted] = await tx.$queryRaw<{ total: number }[]>`
    SELECT count(*)::int AS total FROM (SELECT 1 FROM audit_event e WHERE ${where} LIMIT ${COUNTED + 1}) AS found`;
  return counted?.total ?? 0;
}

async function readRows(tx: Tx, { condition, cursor, take }: Search): Promise<readonly FoundRow[]> {
  const order = cursor?.way === 'newer' ? sql`e.at ASC, e.id ASC` : sql`e.at DESC, e.id DESC`;
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT e.id::text, (extract(epoch FROM e.at) * 1000)::float8 AS "atMs", e.source, e.actor,
           e.actor_kind AS "actorKind", e.did, e.what, e.href, e.because, e.tenant, e.release,
           e.request_id AS "requestId", e.outcome, e.token, e.count, e.before, e.after, e.stream, e.seq, e.phase
    FROM audit_event e WHERE ${condition.where} ${beyond(cursor)}
    ORDER BY ${order} LIMIT ${take}`;
  return z.array(Row).parse(rows);
}

function beyond(cursor: TimeCursor | null): Sql {
  if (cursor === null) return emptySql;
  const id = z
    .string()
    .regex(/^\d{1,18}$/)
    .safeParse(cursor.id);
  if (!id.success) {
    throw new ServerError('invalid_input', { publicMessage: 'The cursor is not one of this list.' });
  }
  const place = sql`(${new Date(cursor.atMs)}, ${BigInt(id.data)})`;
  return cursor.way === 'older' ? sql`AND (e.at, e.id) < ${place}` : sql`AND (e.at, e.id) > ${place}`;
}
