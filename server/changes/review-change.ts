import 'server-only';
import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { appendAudit } from '#server/audit/append.ts';
import type { Ctx } from '#server/context.ts';
import { type Finding, ReviewChange, warningKey } from '#server/contract/changes.ts';
import { ServerError } from '#server/contract/server-error.ts';
import { effectHashOf } from '#server/publication/content-hash.ts';
import { actOnChange, type Locked, require } from './act-on-change.ts';
import { checkStored } from './check-change.ts';
import { settleChecks } from './checks/settle-checks.ts';
import { mayApprove } from './permissions.ts';
import { publishQueued } from './publish-queued.ts';
import { queueApproved } from './publish-when-approved.ts';
import { ChangePath } from './read-change.ts';
import { mayAnswer, type StandingNeed } from './standing.ts';

export const ReviewChangeInput = ReviewChange.extend(ChangePath.shape);
type Input = z.infer<typeof ReviewChangeInput>;

/**
 * POST /api/changes/{number}/review: approves, or asks for work. An approval is bound to the content and the effect that
 * were looked at and answers every need its reviewer has the right to answer; with the last one the change is approved.
 * Refuses with `conflict` when the content moved on, `not_permitted` for whoever wrote any of it (unless the mode is
 * `self with reason`) or has no such right, `invalid_input` for a self-approval without its reason and for a warning that
 * was not ticked, `blocked_by_findings`.
 */
export async function reviewChange(ctx: Ctx, input: Input): Promise<object> {
  await settleChecks(ctx, input.number);
  await review(ctx, input);
  await publishQueued(ctx);
  return {};
}

function review(ctx: Ctx, input: Input): Promise<void> {
  return actOnChange(ctx, input.number, async (locked) => {
    const { tx, standing } = locked;
    require(mayApprove(standing, ctx.actor));
    checkContent(locked, input);
    const isSelf = standing.writers.has(ctx.actor.id);
    checkReason(input, isSelf);
    const { findings, effects } = await checkStored(tx, standing.change, { ...ctx, isActing: true });
    if (input.verdict === 'approved') checkFindings(findings, input.ticked);
    const covers = standing.needs.filter((need) => !need.given && mayAnswer(need, ctx.actor)).map(({ key }) => key);
    await tx.review.create({
      data: {
        id: randomUUID(),
        changeNumber: input.number,
        reviewerId: ctx.actor.id,
        reviewerName: ctx.actor.name,
        verdict: input.verdict,
        comment: input.comment,
        at: new Date(ctx.nowMs),
        self: isSelf,
        contentHash: standing.change.contentHash,
        effectHash: effectHashOf(effects),
        covers,
        ticked: input.ticked,
      },
    });
    await moveOn(locked, ctx, { input, covers });
    await appendAudit(tx, ctx, {
      did: input.verdict === 'approved' ? 'approved' : 'asked for work on',
      what: `∆${input.number} ${standing.change.title}`,
      href: `/changes/${input.number}`,
      outcome: isSelf ? 'self-approved' : 'done',
      ...(input.comment === '' ? {} : { because: input.comment }),
    });
  });
}

async function moveOn(
  { tx, standing }: Locked,
  ctx: Ctx,
  { input, covers }: { readonly input: Input; readonly covers: readonly string[] },
): Promise<void> {
  const now = new Date(ctx.nowMs);
  const isAnswered = (need: StandingNeed) => need.given || covers.includes(need.key);
  const isApproved = input.verdict === 'approved' && standing.needs.every(isAnswered);
  const state = input.verdict === 'needs work' ? 'needs work' : isApproved ? 'approved' : 'in review';
  await tx.change.update({
    where: { number: input.number },
    data: { state, updatedAt: now, approvedAt: isApproved ? now : null },
  });
  if (isApproved && standing.change.publishWhenApproved) await queueApproved(tx, ctx, standing.change);
}

function checkContent({ standing }: Locked, { contentHash }: Input): void {
  if (standing.change.contentHash === contentHash) return;
  throw new ServerError('conflict', {
    publicMessage: `${standing.author.name} or their team changed it since you looked. Read it again, then review.`,
  });
}

function checkReason({ verdict, comment }: Input, isSelf: boolean): void {
  if (!isSelf || verdict !== 'approved' || comment !== '') return;
  const publicMessage = 'You wrote this change, so approving it yourself needs a reason.';
  throw new ServerError('invalid_input', { publicMessage, fields: { comment: publicMessage } });
}

function checkFindings(findings: readonly Finding[], ticked: readonly string[]): void {
  const first = findings.find(({ severity }) => severity === 'error');
  if (first !== undefined) {
    throw new ServerError('blocked_by_findings', { publicMessage: `${first.name}: ${first.message}` });
  }
  const unread = findings.filter((one) => one.severity === 'warning' && !ticked.includes(warningKey(one)));
  const next = unread[0];
  if (next === undefined) return;
  const more = unread.length === 1 ? '' : ` (and ${unread.length - 1} more)`;
  throw new ServerError('invalid_input', {
    publicMessage: `A warning was not looked at${more}: ${next.name}: ${next.message}`,
    fields: Object.fromEntries(unread.map((one) => [warningKey(one), one.message])),
  });
}
