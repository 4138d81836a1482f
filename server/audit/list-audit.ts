import 'server-only';
import { z } from 'zod';
import { Prisma } from '#prisma/client/client.ts';
import { canSeeAllTraffic } from '#server/auth/rights.ts';
import type { Ctx } from '#server/context.ts';
import { AuditEvent, type AuditPage, type AuditQuery } from '#server/contract/audit.ts';
import { ServerError } from '#server/contract/server-error.ts';
import { pageOf, readCursor, type TimeCursor } from '#server/db/time-cursor.ts';
import { type AuditFilter, readFilterLine } from './filter-line.ts';
import { noteReading } from './note-reading.ts';
import { readWholeness } from './read-wholeness.ts';
import { whereOf } from './where.ts';

/** Counting stops here; the page then says *more than 10,000*. */
const COUNTED = 10_000;

const Row = AuditEvent.extend({ atMs: z.number(), phase: z.string().nullable() });
type Row = z.infer<typeof Row>;

/**
 * GET /api/audit: one page of the log, newest first, filtered and counted by the database. The intent and the outcome
 * of one write are one row. Acts in the console are for everyone who is signed in; data-path rows of a tenant for its
 * team and for operator, security, auditor and admin. Reading is itself audited. Refuses with `invalid_input` when the
 * filter line or the cursor cannot be read.
 */
export async function listAudit(ctx: Ctx, query: z.infer<typeof AuditQuery>): Promise<z.infer<typeof AuditPage>> {
  const filter = filterOf(query.filter, ctx.nowMs);
  const cursor = readCursor(query.cursor);
  const tenants = canSeeAllTraffic(ctx.actor) ? [] : await tenantsOf(ctx);
  const where = whereOf({ actor: ctx.actor, tenants, tab: query.tab, filter });
  const rows = await readRows(ctx, where, cursor, query.limit + 1);
  const { items, ...cursors } = pageOf(rows, cursor, query.limit);
  const total = await countRows(ctx, where);
  await noteReading(ctx, query);
  return {
    items: await foldOutcomes(ctx, items),
    ...cursors,
    total: total > COUNTED ? null : total,
    ...(await readWholeness(ctx.db, ctx.nowMs)),
  };
}

function filterOf(line: string, nowMs: number): AuditFilter {
  const reading = readFilterLine(line, nowMs);
  if (reading.kind === 'filter') return reading.filter;
  throw new ServerError('invalid_input', {
    publicMessage: reading.message,
    fields: { filter: `${reading.position}: ${reading.message}` },
  });
}

async function tenantsOf(ctx: Ctx): Promise<readonly string[]> {
  const rows = await ctx.db.definition.findMany({
    where: { kind: 'tenant', ownerTeam: { in: [...ctx.actor.teams] } },
    select: { name: true },
  });
  return rows.map(({ name }) => name);
}

async function readRows(ctx: Ctx, where: Prisma.Sql, cursor: TimeCursor | null, take: number): Promise<readonly Row[]> {
  const order = cursor?.way === 'newer' ? Prisma.sql`e.at ASC, e.id ASC` : Prisma.sql`e.at DESC, e.id DESC`;
  const rows = await ctx.db.$queryRaw<unknown[]>`
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

async function countRows(ctx: Ctx, where: Prisma.Sql): Promise<number> {
  const [counted] = await ctx.db.$queryRaw<{ total: number }[]>`
    SELECT count(*)::int AS total FROM (SELECT 1 FROM audit_event e WHERE ${where} LIMIT ${COUNTED + 1}) AS found`;
  return counted?.total ?? 0;
}

/** Gives each intent the outcome that its gateway wrote for the same request; without one it stays *unknown*. */
async function foldOutcomes(ctx: Ctx, items: readonly Row[]): Promise<AuditEvent[]> {
  const intents = items.filter(({ phase }) => phase === 'intent');
  const requestIds = intents.map(({ requestId }) => requestId).filter((id) => id !== null);
  const outcomes =
    requestIds.length === 0
      ? []
      : await ctx.db.auditEvent.findMany({
          where: { requestId: { in: requestIds }, phase: 'outcome' },
          select: { requestId: true, stream: true, outcome: true },
        });
  const byWrite = new Map(outcomes.map((row) => [`${row.stream} ${row.requestId}`, row.outcome]));
  return items.map(({ phase, ...row }) => {
    if (phase !== 'intent') return row;
    return { ...row, outcome: byWrite.get(`${row.stream} ${row.requestId}`) ?? 'unknown' };
  });
}
