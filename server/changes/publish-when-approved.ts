import 'server-only';
import type { z } from 'zod';
import { appendAudit } from '#server/audit/append.ts';
import { type Ctx, personOf } from '#server/context.ts';
import { SetPublishWhenApproved } from '#server/contract/changes.ts';
import type { Tx } from '#server/db/client.ts';
import { enqueue } from '#server/publication/queue.ts';
import { actOnChange, type Locked, require } from './act-on-change.ts';
import { mayEditNow } from './permissions.ts';
import { publishQueued } from './publish-queued.ts';
import { ChangePath } from './read-change.ts';

export const SetPublishWhenApprovedInput = SetPublishWhenApproved.extend(ChangePath.shape);

/**
 * PUT /api/changes/{number}/publish-when-approved: whether the approving act publishes it. Whoever may edit it sets it; on
 * an approved change it publishes at once.
 */
export async function setPublishWhenApproved(
  ctx: Ctx,
  { number, publishWhenApproved }: z.infer<typeof SetPublishWhenApprovedInput>,
): Promise<object> {
  await actOnChange(ctx, number, async (locked) => {
    const { tx, standing, reviewers } = locked;
    require(mayEditNow(standing, ctx.actor, reviewers));
    if (standing.change.publishWhenApproved === publishWhenApproved) return;
    await tx.change.update({ where: { number }, data: { publishWhenApproved, updatedAt: new Date(ctx.nowMs) } });
    await appendAudit(tx, ctx, {
      did: publishWhenApproved ? 'asked to publish' : 'asked not to publish',
      what: `∆${number} ${standing.change.title} when it is approved`,
      href: `/changes/${number}`,
    });
    if (publishWhenApproved && standing.state === 'approved') await queueApproved(tx, ctx, standing.change);
  });
  await publishQueued(ctx);
  return {};
}

/**
 * Puts an approved change into the queue of publishes, in the transaction that approves it: it is published once whatever
 * happens to this process afterwards, in its turn, and by the rights of whoever approved it.
 */
export function queueApproved(tx: Tx, ctx: Ctx, change: Locked['standing']['change']): Promise<void> {
  return enqueue(tx, {
    change: change.number,
    contentHash: change.contentHash,
    cause: `∆${change.number} ${change.title}`,
    by: personOf(ctx.actor),
    atMs: ctx.nowMs,
  });
}
