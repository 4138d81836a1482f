import 'server-only';
import type { z } from 'zod';
import { canSeeAllTraffic } from '#server/auth/rights.ts';
import type { Ctx } from '#server/context.ts';
import type { AuditEvent, AuditPage, AuditQuery } from '#server/contract/audit.ts';
import { ServerError } from '#server/contract/server-error.ts';
import { pageOf, readCursor } from '#server/db/time-cursor.ts';
import { type AuditFilter, readFilterLine } from './filter-line.ts';
import { COUNTED, type FoundRow, findRows } from './find-rows.ts';
import { noteReading } from './note-reading.ts';
import { readWholeness } from './read-wholeness.ts';
import { conditionOf } from './where.ts';

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
  const condition = conditionOf({ actor: ctx.actor, tenants, tab: query.tab, filter });
  const { rows, total } = await findRows(ctx.db, { condition, cursor, take: query.limit + 1 });
  const { items, ...cursors } = pageOf(rows, cursor, query.limit);
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

/** Gives each intent the outcome that its gateway wrote for the same request; without one it stays *unknown*. */
async function foldOutcomes(ctx: Ctx, items: readonly FoundRow[]): Promise<AuditEvent[]> {
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
