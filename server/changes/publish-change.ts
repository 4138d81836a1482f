import 'server-only';
import type { z } from 'zod';
import { appendAudit } from '#server/audit/append.ts';
import type { Effect } from '#server/compile/model.ts';
import type { Ctx } from '#server/context.ts';
import { PublishChange } from '#server/contract/changes.ts';
import type { Published } from '#server/contract/definitions.ts';
import { ServerError } from '#server/contract/server-error.ts';
import { withTransaction } from '#server/db/client.ts';
import { effectHashOf } from '#server/publication/content-hash.ts';
import { lockPublishing, publishRelease } from '#server/publication/publish-release.ts';
import { actInTransaction, type Locked, require } from './act-on-change.ts';
import { mayPublish } from './permissions.ts';
import { ChangePath, checkStored, draftOf } from './read-change.ts';

export const PublishChangeInput = PublishChange.extend(ChangePath.shape);
type Input = z.infer<typeof PublishChangeInput>;

/**
 * POST /api/changes/{number}/publish: makes the next release of it; one change, one release. A second call answers the
 * same release. Refuses with `wrong_state` before it is approved, `not_permitted` but for the author, an approver or an
 * admin, `conflict` when its content moved on, or when what it does moved on because of a neighbour's publish (its
 * approvals are then void and it is in review again), `blocked_by_findings`.
 */
export async function publishChange(ctx: Ctx, input: Input): Promise<z.infer<typeof Published>> {
  const outcome = await withTransaction(ctx.db, async (tx) => {
    await lockPublishing(tx);
    return actInTransaction(tx, ctx, { number: input.number, act: (locked) => publishLocked(locked, ctx, input) });
  });
  if (outcome !== 'effect moved on') return { release: outcome };
  // Told only now: a refusal inside the transaction would undo that the approvals are void.
  throw new ServerError('conflict', {
    publicMessage: 'What this change does moved on with a release since it was approved. It is in review again.',
  });
}

async function publishLocked(locked: Locked, ctx: Ctx, input: Input): Promise<number | 'effect moved on'> {
  const { tx, standing } = locked;
  const { change } = standing;
  if (change.releaseNumber !== null) return change.releaseNumber;
  const { findings, effects } = await checkStored(tx, change, ctx.nowMs);
  require(mayPublish(standing, ctx.actor, findings));
  if (change.contentHash !== input.contentHash) {
    throw new ServerError('conflict', { publicMessage: 'It changed since you looked. Read it again, then publish.' });
  }
  if (hasMovedOn(locked, effects)) {
    await backToReview(locked, ctx.nowMs);
    return 'effect moved on';
  }
  const { number } = await publishRelease(tx, ctx, requestOf(locked, ctx));
  const now = new Date(ctx.nowMs);
  await tx.change.update({
    where: { number: change.number },
    data: { state: 'published', publishedAt: now, updatedAt: now, releaseNumber: number },
  });
  await auditPublish(locked, ctx, number);
  return number;
}

function requestOf({ standing }: Locked, ctx: Ctx) {
  const { change, author, approvers } = standing;
  const isSelf = isSelfApproved({ standing });
  return {
    edits: change.edits.map(draftOf),
    cause: `∆${change.number} ${change.title}`,
    reason: change.reason,
    by: { id: ctx.actor.id, name: ctx.actor.name },
    author,
    approvedBy: approvers.at(-1) ?? null,
    selfApproved: isSelf,
    changeNumber: change.number,
    emergency: false,
  };
}

async function auditPublish({ tx, standing }: Locked, ctx: Ctx, release: number): Promise<void> {
  const { change } = standing;
  const only = change.edits.length === 1 ? change.edits[0] : undefined;
  await appendAudit(tx, ctx, {
    did: 'published',
    what: `r${release} from ∆${change.number} ${change.title}`,
    href: `/releases/${release}`,
    release,
    ...(change.reason === '' ? {} : { because: change.reason }),
    ...(only === undefined ? {} : { kind: draftOf(only).kind, name: only.name }),
    outcome: isSelfApproved({ standing }) ? 'self-approved' : 'done',
    before: Object.fromEntries(change.edits.map(({ kind, name, base }) => [`${kind} ${name}`, base])),
    after: Object.fromEntries(change.edits.map(({ kind, name, document }) => [`${kind} ${name}`, document])),
  });
}

function isSelfApproved({ standing }: Pick<Locked, 'standing'>): boolean {
  return standing.change.reviews.some(
    ({ verdict, voidedAt, self }) => verdict === 'approved' && voidedAt === null && self,
  );
}

/** Whether any standing approval looked at another effect than the change has now. */
function hasMovedOn({ standing }: Locked, effects: readonly Effect[]): boolean {
  const now = effectHashOf(effects);
  return standing.change.reviews.some(
    ({ verdict, voidedAt, effectHash }) => verdict === 'approved' && voidedAt === null && effectHash !== now,
  );
}

async function backToReview({ tx, standing }: Locked, nowMs: number): Promise<void> {
  const now = new Date(nowMs);
  const { number } = standing.change;
  await tx.review.updateMany({ where: { changeNumber: number, voidedAt: null }, data: { voidedAt: now } });
  await tx.change.update({ where: { number }, data: { state: 'in review', approvedAt: null, updatedAt: now } });
}
