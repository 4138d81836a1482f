import 'server-only';
import { type AuditActor, appendAudit } from '#server/audit/append.ts';
import { ciActor, teamOfCi } from '#server/auth/ci-actor.ts';
import { loadActor } from '#server/auth/read-actor.ts';
import type { Ctx } from '#server/context.ts';
import { ServerError } from '#server/contract/server-error.ts';
import { type Tx, withTransaction } from '#server/db/client.ts';
import { notify } from '#server/db/notify.ts';
import { readOpenRollout } from '#server/db/rollout.ts';
import { readFreeze } from '#server/publication/freeze.ts';
import { lockPublishing, publishRelease } from '#server/publication/publish-release.ts';
import { type QueuedPublish, readQueue } from '#server/publication/queue.ts';
import { actInTransaction } from './act-on-change.ts';
import { checkStored } from './check-change.ts';
import { mayPublish } from './permissions.ts';
import { publishLocked } from './publish-locked.ts';

/** What publishing needs of a process when no person asks. */
export type Publishing = Pick<Ctx, 'db' | 'nowMs' | 'signer' | 'env' | 'requestId'>;

/**
 * Publishes what waits in the queue, first come first, until a rollout is open or publishing is frozen. What may no longer
 * be published is taken out of the queue, and whoever queued it is told why. Called whenever a rollout may have ended.
 */
export async function publishQueued(ctx: Publishing): Promise<void> {
  while ((await ctx.db.queuedPublish.count()) > 0) {
    const first = await withTransaction(ctx.db, async (tx) => {
      await lockPublishing(tx);
      if ((await readOpenRollout(tx)) !== null || (await readFreeze(tx)) !== null) return null;
      const [next] = await readQueue(tx);
      if (next !== undefined && next.change === null) await publishKeys(tx, ctx, next);
      return next ?? null;
    });
    if (first === null) return;
    if (first.change !== null) await publishTurn(ctx, first, first.change);
  }
}

async function publishKeys(tx: Tx, ctx: Publishing, { by, cause }: QueuedPublish): Promise<void> {
  const { number } = await publishRelease(tx, ctx, {
    edits: [],
    cause,
    reason: '',
    by,
    author: by,
    approvedBy: null,
    selfApproved: false,
    changeNumber: null,
    emergency: false,
  });
  await appendAudit(tx, await actorOf(tx, ctx, by), {
    did: 'published',
    what: `r${number}: ${cause}`,
    href: `/releases/${number}`,
    release: number,
    because: 'Its turn in the queue had come.',
  });
}

/** One change; a refusal takes it out of the queue in a transaction of its own, since the first one is undone by it. */
async function publishTurn(ctx: Publishing, queued: QueuedPublish, number: number): Promise<void> {
  try {
    await withTransaction(ctx.db, async (tx) => {
      await lockPublishing(tx);
      await publishOne(tx, ctx, { queued, number });
    });
  } catch (error) {
    if (!(error instanceof ServerError)) throw error;
    await withTransaction(ctx.db, (tx) => dropTurn(tx, ctx, { queued, number, why: error.publicMessage }));
  }
}

async function publishOne(
  tx: Tx,
  ctx: Publishing,
  { queued, number }: { readonly queued: QueuedPublish; readonly number: number },
): Promise<void> {
  const team = teamOfCi(queued.by.id);
  const actor = team === null ? await loadActor(tx, queued.by.id, ctx.env.adminGroup) : ciActor(team);
  if (actor === null) throw refused(`${queued.by.name} has no account any more.`);
  const by = { actor, requestId: ctx.requestId, nowMs: ctx.nowMs };
  const outcome = await actInTransaction(tx, ctx, {
    number,
    act: async (locked) => {
      const { change } = locked.standing;
      if (change.releaseNumber !== null) return change.releaseNumber;
      if (change.contentHash !== queued.contentHash) throw refused('It was edited since it was queued.');
      const { findings } = await checkStored(tx, change, { nowMs: ctx.nowMs });
      const verdict = mayPublish(locked.standing, actor, findings);
      if (verdict.code !== null) throw refused(verdict.why);
      return publishLocked(locked, { ...by, signer: ctx.signer }, actor);
    },
  });
  if (outcome === 'effect moved on') {
    await dropTurn(tx, ctx, { queued, number, why: 'What it does moved on with a release since it was approved.' });
  }
}

async function dropTurn(
  tx: Tx,
  ctx: Publishing,
  dropped: { readonly queued: QueuedPublish; readonly number: number; readonly why: string },
): Promise<void> {
  const { queued, number, why } = dropped;
  await tx.queuedPublish.deleteMany({ where: { id: queued.id } });
  await appendAudit(tx, await actorOf(tx, ctx, queued.by), {
    did: 'did not publish',
    what: `${queued.cause} when its turn in the queue had come`,
    href: `/changes/${number}`,
    because: why,
    outcome: 'refused',
  });
  await tx.inboxItem.create({
    data: {
      id: `queue:${queued.id}`,
      kind: 'change',
      userId: queued.by.id,
      text: `${queued.cause} was not published when its turn came: ${why}`,
      href: `/changes/${number}`,
      subject: `change:${number}`,
      closable: true,
      at: new Date(ctx.nowMs),
    },
  });
  await notify(tx, 'changes', 'inbox', 'shell', 'releases');
}

/** Whoever queued it acts, also when nobody sits at a page by now. */
async function actorOf(tx: Tx, ctx: Publishing, by: QueuedPublish['by']): Promise<AuditActor> {
  const actor = (await loadActor(tx, by.id, ctx.env.adminGroup)) ?? { ...by, roles: [] };
  return { actor, requestId: ctx.requestId, nowMs: ctx.nowMs };
}

function refused(publicMessage: string): ServerError {
  return new ServerError('wrong_state', { publicMessage });
}
