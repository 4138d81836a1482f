import 'server-only';
import type { z } from 'zod';
import { appendAudit, type ConsoleEvent } from '#server/audit/append.ts';
import type { Ctx } from '#server/context.ts';
import type { TriedAgain, TryAgain } from '#server/contract/background.ts';
import { entryWords } from '#server/contract/background-words.ts';
import { ServerError } from '#server/contract/server-error.ts';
import { withTransaction } from '#server/db/client.ts';
import { canTryAgain, entryOf, WHERE } from './list-background.ts';

const EVENT = { did: 'asked for another try of', href: '/gateways?tab=background' } as const;
const RECOUNT = { did: 'asked for a recount of', href: '/gateways?tab=background&list=drift' } as const;

/**
 * POST /api/background/try-again: the gateway that holds an entry's range is told with its next report, within seconds.
 * Operators and admins (`not_permitted`); `not_found` when the entry was finished meanwhile.
 */
export function tryAgain(ctx: Ctx, { id, list }: TryAgain): Promise<z.infer<typeof TriedAgain>> {
  if (!canTryAgain(ctx.actor)) {
    throw new ServerError('not_permitted', { publicMessage: 'Another try is asked for by an operator or an admin.' });
  }
  return id === null ? tryAllAgain(ctx, list) : tryOneAgain(ctx, id);
}

function tryOneAgain(ctx: Ctx, id: string): Promise<z.infer<typeof TriedAgain>> {
  return withTransaction(ctx.db, async (tx) => {
    const row = await tx.backgroundEntry.findUnique({ where: { id } });
    if (row === null) throw new ServerError('not_found', { publicMessage: 'This entry is finished.' });
    await tx.backgroundEntry.update({ where: { id }, data: { againAt: new Date(ctx.nowMs) } });
    const entry = entryOf(row);
    const { kind, tenant, failures, reason, drift } = entry;
    const before = kind === 'drift' ? { drift, reason } : { failures, reason };
    const event = kind === 'drift' ? RECOUNT : EVENT;
    await appendAudit(tx, ctx, { ...event, what: entryWords(entry), tenant, before });
    return { asked: 1 };
  });
}

function tryAllAgain(ctx: Ctx, list: TryAgain['list']): Promise<z.infer<typeof TriedAgain>> {
  return withTransaction(ctx.db, async (tx) => {
    const where = { AND: [WHERE[list], { parkedAt: { not: null }, againAt: null }] };
    const { count } = await tx.backgroundEntry.updateMany({ where, data: { againAt: new Date(ctx.nowMs) } });
    if (count === 0) return { asked: 0 };
    const event: ConsoleEvent =
      list === 'drift'
        ? { ...RECOUNT, what: count === 1 ? 'the only object that drifted' : `all ${count} objects that drifted` }
        : { ...EVENT, what: count === 1 ? 'the only parked entry' : `all ${count} parked entries` };
    await appendAudit(tx, ctx, event);
    return { asked: count };
  });
}
