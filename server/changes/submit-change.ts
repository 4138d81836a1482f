import 'server-only';
import type { z } from 'zod';
import { appendAudit } from '#server/audit/append.ts';
import type { Ctx } from '#server/context.ts';
import { EmptyBody } from '#server/contract/changes.ts';
import { ServerError } from '#server/contract/server-error.ts';
import { unqueue } from '#server/publication/queue.ts';
import { actOnChange, require } from './act-on-change.ts';
import { checkStored } from './check-change.ts';
import { settleChecks } from './checks/settle-checks.ts';
import { mayAbandon, mayEditNow, maySubmit } from './permissions.ts';
import { publishQueued } from './publish-queued.ts';
import { queueApproved } from './publish-when-approved.ts';
import { ChangePath } from './read-change.ts';

/** Input of the acts that take nothing but the change's number. */
export const ActInput = EmptyBody.extend(ChangePath.shape);
type Input = z.infer<typeof ActInput>;

/**
 * POST /api/changes/{number}/submit: sends a draft to review; where nobody needs to review it, it is approved at once.
 * Refuses with `blocked_by_findings`, `wrong_state`, `not_permitted`.
 */
export async function submitChange(ctx: Ctx, { number }: Input): Promise<object> {
  await settleChecks(ctx, number);
  await submit(ctx, number);
  await publishQueued(ctx);
  return {};
}

function submit(ctx: Ctx, number: number): Promise<void> {
  return actOnChange(ctx, number, async ({ tx, standing, reviewers }) => {
    const { findings } = await checkStored(tx, standing.change, { ...ctx, isActing: true });
    require(maySubmit(standing, mayEditNow(standing, ctx.actor, reviewers), findings));
    const now = new Date(ctx.nowMs);
    // Asking again means that what was asked for has been answered.
    await tx.review.updateMany({ where: { changeNumber: number, voidedAt: null }, data: { voidedAt: now } });
    const isApproved = standing.needs.every(({ mode }) => mode === 'off');
    await tx.change.update({
      where: { number },
      data: {
        state: isApproved ? 'approved' : 'in review',
        submittedAt: now,
        approvedAt: isApproved ? now : null,
        updatedAt: now,
      },
    });
    await appendAudit(tx, ctx, {
      did: 'sent to review',
      what: `∆${number} ${standing.change.title}`,
      href: `/changes/${number}`,
      ...(isApproved ? { because: 'Review is off for these definitions, so it is approved.' } : {}),
    });
    if (isApproved && standing.change.publishWhenApproved) await queueApproved(tx, ctx, standing.change);
  });
}

/** POST /api/changes/{number}/withdraw: takes it back from review to draft; its reviews are void. */
export function withdrawChange(ctx: Ctx, { number }: Input): Promise<object> {
  return actOnChange(ctx, number, async ({ tx, standing, reviewers }) => {
    require(mayEditNow(standing, ctx.actor, reviewers));
    if (standing.state !== 'in review' && standing.state !== 'approved') {
      throw new ServerError('wrong_state', { publicMessage: `It is ${standing.state}, so it is not in review.` });
    }
    const now = new Date(ctx.nowMs);
    await tx.review.updateMany({ where: { changeNumber: number, voidedAt: null }, data: { voidedAt: now } });
    await tx.change.update({
      where: { number },
      data: { state: 'draft', submittedAt: null, approvedAt: null, updatedAt: now },
    });
    await unqueue(tx, number);
    await appendAudit(tx, ctx, {
      did: 'withdrew',
      what: `∆${number} ${standing.change.title} from review`,
      href: `/changes/${number}`,
    });
    return {};
  });
}

/** POST /api/changes/{number}/abandon: closes it for good. Nothing that was published is touched. */
export function abandonChange(ctx: Ctx, { number }: Input): Promise<object> {
  return actOnChange(ctx, number, async ({ tx, standing }) => {
    require(mayAbandon(standing, ctx.actor));
    const now = new Date(ctx.nowMs);
    await tx.change.update({ where: { number }, data: { state: 'abandoned', abandonedAt: now, updatedAt: now } });
    await unqueue(tx, number);
    await appendAudit(tx, ctx, {
      did: 'abandoned',
      what: `∆${number} ${standing.change.title}`,
      href: `/changes/${number}`,
    });
    return {};
  });
}
