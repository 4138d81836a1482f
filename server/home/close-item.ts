import 'server-only';
import { z } from 'zod';
import { appendAudit } from '#server/audit/append.ts';
import type { Ctx } from '#server/context.ts';
import { ServerError } from '#server/contract/server-error.ts';
import { withTransaction } from '#server/db/client.ts';
import { notify } from '#server/db/notify.ts';
import { addressedTo } from './inbox.ts';

/** The path parameter. */
export const ItemParam = z.object({ id: z.string().max(100) });

/**
 * POST /api/inbox/{id}/close: a person says that a follow-up is done. Closing a closed one changes nothing. Refuses with
 * `not_found` (also: not addressed to the person) and `wrong_state` for items that close by themselves.
 */
export async function closeItem(ctx: Ctx, { id }: z.infer<typeof ItemParam>): Promise<object> {
  const item = await ctx.db.inboxItem.findFirst({ where: { id, ...addressedTo(ctx.actor) } });
  if (item === null) {
    const isDerived = /^(review|change|gateway):/.test(id);
    throw isDerived ? closesItself() : new ServerError('not_found', { publicMessage: 'Your inbox has no such item.' });
  }
  if (!item.closable) throw closesItself();
  await withTransaction(ctx.db, async (tx) => {
    const closed = await tx.inboxItem.updateMany({
      where: { id, closedAt: null },
      data: { closedAt: new Date(ctx.nowMs), closedById: ctx.actor.id, closedByName: ctx.actor.name },
    });
    if (closed.count === 0) return;
    await appendAudit(tx, ctx, { did: 'closed', what: `the follow-up: ${item.text}`, href: item.href });
    await notify(tx, 'inbox', 'shell');
  });
  return {};
}

function closesItself(): ServerError {
  return new ServerError('wrong_state', { publicMessage: 'This item closes by itself when it is handled.' });
}
