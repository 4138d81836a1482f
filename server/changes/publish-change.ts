import 'server-only';
import type { z } from 'zod';
import type { AuditActor } from '#server/audit/append.ts';
import type { Ctx } from '#server/context.ts';
import { PublishChange } from '#server/contract/changes.ts';
import type { PublishedOrQueued } from '#server/contract/definitions.ts';
import { ServerError } from '#server/contract/server-error.ts';
import { withTransaction } from '#server/db/client.ts';
import { readOpenRollout, type StoredRollout } from '#server/db/rollout.ts';
import { refuseFrozen } from '#server/publication/freeze.ts';
import { lockPublishing } from '#server/publication/publish-release.ts';
import { enqueue } from '#server/publication/queue.ts';
import { actInTransaction, type Locked, require } from './act-on-change.ts';
import { checkStored } from './check-change.ts';
import { settleChecks } from './checks/settle-checks.ts';
import { mayPublish } from './permissions.ts';
import { type Published, publishLocked } from './publish-locked.ts';
import { auditQueued, queuedWords } from './queued.ts';
import { ChangePath } from './read-change.ts';

export const PublishChangeInput = PublishChange.extend(ChangePath.shape);
type Input = z.infer<typeof PublishChangeInput>;
type Reply = z.infer<typeof PublishedOrQueued>;

/**
 * POST /api/changes/{number}/publish: makes the next release of it; one change, one release. While another release goes
 * out in stages it waits for that, in order, and is published by itself. A second call answers the same. Refuses with
 * `wrong_state` before it is approved, `not_permitted` but for the author, an approver or an admin, `conflict` when its
 * content moved on, or when what it does moved on because of a neighbour's publish (its approvals are then void and it is
 * in review again), `blocked_by_findings`, `publishing_frozen`.
 */
export async function publishChange(ctx: Ctx, input: Input): Promise<Reply> {
  await settleChecks(ctx, input.number);
  const outcome = await withTransaction(ctx.db, async (tx) => {
    await lockPublishing(tx);
    return actInTransaction(tx, ctx, { number: input.number, act: (locked) => publishOrQueue(locked, ctx, input) });
  });
  if (outcome !== 'effect moved on') return outcome;
  // Told only now: a refusal inside the transaction would undo that the approvals are void.
  throw new ServerError('conflict', {
    publicMessage: 'What this change does moved on with a release since it was approved. It is in review again.',
  });
}

async function publishOrQueue(locked: Locked, ctx: Ctx, input: Input): Promise<Reply | 'effect moved on'> {
  const { tx, standing } = locked;
  const { change } = standing;
  if (change.releaseNumber !== null) return { release: change.releaseNumber, waitsFor: null };
  const { findings } = await checkStored(tx, change, ctx);
  require(mayPublish(standing, ctx.actor, findings));
  if (change.contentHash !== input.contentHash) {
    throw new ServerError('conflict', { publicMessage: 'It changed since you looked. Read it again, then publish.' });
  }
  await refuseFrozen(tx);
  const rollout = await readOpenRollout(tx);
  if (rollout !== null && !change.emergency) return queue(locked, ctx, rollout);
  return replyOf(await publishLocked(locked, ctx, ctx.actor));
}

async function queue({ tx, standing }: Locked, ctx: Ctx & AuditActor, rollout: StoredRollout): Promise<Reply> {
  const { change } = standing;
  const known = await tx.queuedPublish.findUnique({ where: { changeNumber: change.number } });
  await enqueue(tx, {
    change: change.number,
    contentHash: change.contentHash,
    cause: `∆${change.number} ${change.title}`,
    by: { id: ctx.actor.id, name: ctx.actor.name },
    atMs: ctx.nowMs,
  });
  if (known === null) await auditQueued(tx, ctx, { change, rollout });
  return { release: null, waitsFor: queuedWords(rollout) };
}

function replyOf(published: Published): Reply | 'effect moved on' {
  return published === 'effect moved on' ? published : { release: published, waitsFor: null };
}
