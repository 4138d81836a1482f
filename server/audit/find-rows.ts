import 'server-only';
import { z } from 'zod';
import { Prisma } from '#prisma/client/client.ts';
import { AuditEvent } from '#server/contract/audit.ts';
import { ServerError } from '#server/contract/server-error.ts';
import { type Database, type Tx, withTransaction } from '#server/db/client.ts';
import type { TimeCursor } from '#server/db/time-cursor.ts';

/** Counting stops here; the page then says *more than 10,000*. */
export const COUNTED = 10_000;

/** A row of the log and, for a gateway's, which phase of a request it tells. */
const Row = AuditEvent.extend({ atMs: z.number(), phase: z.string().nullable() });
export type FoundRow = z.infer<typeof Row>;

export interface Search {
  readonly where: Prisma.Sql;
  /** Whether `where` asks for words that a row must have. */
  readonly isByWords: boolean;
  readonly cursor: TimeCursor | null;
  readonly take: number;
}

/**
 * The rows of a page in reading order (away from the cursor) and how many match in all, counted to COUNTED + 1.
 *
 * A search by words is counted from the index of words alone. The planner takes words, tabs and times for independent
 * and would now and then walk the whole log for rows that it believes to be everywhere. Few matches are sorted; when
 * there are many, the newest are near the end of the index by time.
 */
export async function findRows(
  db: Database,
  search: Search,
): Promise<{ readonly rows: readonly FoundRow[]; readonly total: number }> {
  return withTransaction(db, async (tx) => {
    await setScans(tx, search.isByWords ? 'off' : 'on');
    const total = await countRows(tx, search.where);
    if (search.isByWords && total > COUNTED) await setScans(tx, 'on');
    return { rows: await readRows(tx, search), total };
  });
}

/** For this transaction: whether scans of the table and of ordered indexes may be planned. Compiling never pays off. */
async function setScans(tx: Tx, scans: 'on' | 'off'): Promise<void> {
  await tx.$queryRaw`SELECT set_config('jit', 'off', true), set_config('enable_seqscan', ${scans}, true),
    set_config('enable_indexscan', ${scans}, true), set_config('enable_indexonlyscan', ${scans}, true)`;
}

async function countRows(tx: Tx, where: Prisma.Sql): Promise<number> {
  const [counted] = await tx.$queryRaw<{ total: number }[]>`
    SELECT count(*)::int AS total FROM (SELECT 1 FROM audit_event e WHERE ${where} LIMIT ${COUNTED + 1}) AS found`;
  return counted?.total ?? 0;
}

async function readRows(tx: Tx, { where, cursor, take }: Search): Promise<readonly FoundRow[]> {
  const order = cursor?.way === 'newer' ? Prisma.sql`e.at ASC, e.id ASC` : Prisma.sql`e.at DESC, e.id DESC`;
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT e.id::text, (extract(epoch FROM e.at) * 1000)::float8 AS "atMs", e.source, e.actor,
           e.actor_kind AS "actorKind", e.did, e.what, e.href, e.because, e.tenant, e.release,
           e.request_id AS "requestId", e.outcome, e.count, e.before, e.after, e.stream, e.seq, e.phase
    FROM audit_event e WHERE ${where} ${beyond(cursor)}
    ORDER BY ${order} LIMIT ${take}`;
  return z.array(Row).parse(rows);
}

function beyond(cursor: TimeCursor | null): Prisma.Sql {
  if (cursor === null) return Prisma.empty;
  const id = z
    .string()
    .regex(/^\d{1,18}$/)
    .safeParse(cursor.id);
  if (!id.success) {
    throw new ServerError('invalid_input', { publicMessage: 'The cursor is not one of this list.' });
  }
  const place = Prisma.sql`(${new Date(cursor.atMs)}, ${BigInt(id.data)})`;
  return cursor.way === 'older' ? Prisma.sql`AND (e.at, e.id) < ${place}` : Prisma.sql`AND (e.at, e.id) > ${place}`;
}
