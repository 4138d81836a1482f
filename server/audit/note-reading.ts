import 'server-only';
import type { z } from 'zod';
import type { Ctx } from '#server/context.ts';
import type { AuditQuery } from '#server/contract/audit.ts';
import { withTransaction } from '#server/db/client.ts';
import { appendAudit } from './append.ts';

const ONCE_IN_MS = 15 * 60_000;

/**
 * Writes that somebody reads the log: one row per person, tab and filter in 15 minutes, so that paging and watching add
 * none.
 */
export async function noteReading(ctx: Ctx, query: z.infer<typeof AuditQuery>): Promise<void> {
  const because = query.filter.trim() === '' ? query.tab : `${query.tab}: ${query.filter.trim()}`;
  if (await isNoted(ctx, because)) return;
  await withTransaction(ctx.db, async (tx) => {
    // Two pages of one person opened at once are one reading.
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext(${`reading:${ctx.actor.id}`}))`;
    if (await isNoted({ ...ctx, db: tx }, because)) return;
    await appendAudit(tx, ctx, { did: 'read', what: 'the audit log', href: '/audit', because });
  });
}

async function isNoted(
  { db, actor, nowMs }: Pick<Ctx, 'actor' | 'nowMs'> & { readonly db: Pick<Ctx['db'], 'auditEvent'> },
  because: string,
): Promise<boolean> {
  const found = await db.auditEvent.findFirst({
    where: {
      actor: actor.name,
      actorId: actor.id,
      at: { gt: new Date(nowMs - ONCE_IN_MS) },
      did: 'read',
      what: 'the audit log',
      because,
    },
    select: { id: true },
  });
  return found !== null;
}
