import 'server-only';
import type { z } from 'zod';
import { appendAudit } from '#server/audit/append.ts';
import type { Ctx } from '#server/context.ts';
import { unqueue } from '#server/publication/queue.ts';
import { actOnChange, require } from './act-on-change.ts';
import { mayUnqueue } from './permissions.ts';
import type { ActInput } from './submit-change.ts';

/**
 * POST /api/changes/{number}/unqueue: it waits for its turn no longer and stays approved; nor is it published by itself
 * any more. Refuses with `wrong_state` when it does not wait, `not_permitted` but for whoever may publish it.
 */
export function unqueueChange(ctx: Ctx, { number }: z.infer<typeof ActInput>): Promise<object> {
  return actOnChange(ctx, number, async ({ tx, standing }) => {
    const known = await tx.queuedPublish.findUnique({ where: { changeNumber: number } });
    require(mayUnqueue(standing, ctx.actor, known !== null));
    await unqueue(tx, number);
    await tx.change.update({ where: { number }, data: { publishWhenApproved: false, updatedAt: new Date(ctx.nowMs) } });
    await appendAudit(tx, ctx, {
      did: 'took out of the queue',
      what: `∆${number} ${standing.change.title}`,
      href: `/changes/${number}`,
    });
    return {};
  });
}
