import 'server-only';
import { type AuditActor, appendAudit } from '#server/audit/append.ts';
import type { Effect } from '#server/compile/model.ts';
import type { Ctx } from '#server/context.ts';
import type { Person } from '#server/contract/people.ts';
import { dbJsonValue } from '#server/db/json.ts';
import { effectHashOf } from '#server/publication/content-hash.ts';
import { draftOf } from '#server/publication/draft-of.ts';
import { publishRelease } from '#server/publication/publish-release.ts';
import { unqueue } from '#server/publication/queue.ts';
import { RollbackRecord } from '#server/publication/rollback-record.ts';
import type { Locked } from './act-on-change.ts';
import { judge } from './check-change.ts';
import { settled } from './checks/kept-verdict.ts';

/** The release made, or that the reviews looked at another effect than the change has now. */
export type Published = number | 'effect moved on';

/**
 * Publishes a locked change that may be published: the release, the change's state and the audit row. When what it does is
 * no longer what was approved, its reviews are void and it is in review again instead.
 */
export async function publishLocked(
  locked: Locked,
  ctx: Pick<Ctx, 'nowMs' | 'signer'> & AuditActor,
  by: Person,
): Promise<Published> {
  const { tx, standing } = locked;
  const { change } = standing;
  const verdict = await judge(tx, change, { nowMs: ctx.nowMs, isActing: true });
  await unqueue(tx, change.number);
  if (hasMovedOn(locked, verdict.effects)) {
    await backToReview(locked, ctx.nowMs);
    return 'effect moved on';
  }
  const { number } = await publishRelease(tx, ctx, requestOf(locked, by));
  const now = new Date(ctx.nowMs);
  await tx.change.update({
    where: { number: change.number },
    data: {
      state: 'published',
      publishedAt: now,
      updatedAt: now,
      releaseNumber: number,
      verdict: dbJsonValue(settled(verdict)),
    },
  });
  await auditPublish(locked, ctx, number);
  return number;
}

function requestOf({ standing }: Locked, by: Person) {
  const { change, author, approvers } = standing;
  const words = `∆${change.number} ${change.title}`;
  return {
    edits: change.edits.map(draftOf),
    cause: change.emergency ? `Emergency: ${words}` : words,
    reason: change.reason,
    by: { id: by.id, name: by.name },
    author,
    approvedBy: approvers.at(-1) ?? null,
    selfApproved: isSelfApproved({ standing }),
    changeNumber: change.number,
    emergency: change.emergency,
    rollback: change.rollback === null ? null : RollbackRecord.parse(change.rollback),
  };
}

async function auditPublish({ tx, standing }: Locked, by: AuditActor, release: number): Promise<void> {
  const { change } = standing;
  const only = change.edits.length === 1 ? change.edits[0] : undefined;
  const outcome = change.emergency ? 'emergency' : isSelfApproved({ standing }) ? 'self-approved' : 'done';
  await appendAudit(tx, by, {
    did: 'published',
    what: `r${release} from ∆${change.number} ${change.title}`,
    href: `/releases/${release}`,
    release,
    ...(change.reason === '' ? {} : { because: change.reason }),
    ...(only === undefined ? {} : { kind: draftOf(only).kind, name: only.name }),
    outcome,
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
