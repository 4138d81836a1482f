import 'server-only';
import type { z } from 'zod';
import { appendAudit } from '#server/audit/append.ts';
import { type Ctx, personOf } from '#server/context.ts';
import { HaltRollout, MoveRollout } from '#server/contract/rollouts.ts';
import { ServerError } from '#server/contract/server-error.ts';
import { type Tx, withTransaction } from '#server/db/client.ts';
import { dbJsonValue } from '#server/db/json.ts';
import { notify } from '#server/db/notify.ts';
import { readOpenRollout, type StoredRollout, stageCount } from '#server/db/rollout.ts';
import { finishRollout, openNextStage } from '#server/publication/advance-rollout.ts';
import { closeHaltItems } from '#server/publication/end-rollout.ts';
import { refuseFrozen } from '#server/publication/freeze.ts';
import { haltRollout } from '#server/publication/halt-rollout.ts';
import { lockPublishing } from '#server/publication/publish-release.ts';
import type { MoveOn } from './ports.ts';
import { ReleasePath } from './read-release.ts';
import { mayRunReleases } from './rollback-rights.ts';

export const MoveRolloutInput = MoveRollout.extend(ReleasePath.shape);
export const HaltRolloutInput = HaltRollout.extend(ReleasePath.shape);
type Move = z.infer<typeof MoveRolloutInput>;
type Halt = z.infer<typeof HaltRolloutInput>;

/**
 * POST /api/releases/{number}/promote: opens the next stage by hand, whatever is measured; at the last stage it ends the
 * rollout as it is. Refuses with `wrong_state` without an open rollout of it, `conflict` when the stage that was looked at
 * is no longer the newest, `publishing_frozen`, `not_permitted`.
 */
export function promoteWith(moveOn: MoveOn) {
  return async (ctx: Ctx, input: Move): Promise<object> => {
    await withOpen(ctx, input, async (tx, rollout) => {
      await refuseFrozen(tx);
      const why = 'Opened by hand.';
      if (rollout.stage >= stageCount(rollout)) await finishRollout(tx, { rollout, by: ctx, why: 'Ended by hand.' });
      else await openNextStage(tx, { rollout, by: ctx, why });
    });
    await moveOn(ctx);
    return {};
  };
}

/** POST /api/releases/{number}/halt: no further stage opens; gateways that have it keep it. `wrong_state` when halted. */
export function haltByHand(ctx: Ctx, input: Halt): Promise<object> {
  return withOpen(ctx, input, async (tx, rollout) => {
    if (rollout.state === 'halted') throw new ServerError('wrong_state', { publicMessage: 'It is halted already.' });
    await haltRollout(tx, { rollout, by: ctx, why: input.reason });
  });
}

/** POST /api/releases/{number}/resume: measures the open stages anew and goes on. `wrong_state` unless halted. */
export function resumeWith(moveOn: MoveOn) {
  return async (ctx: Ctx, input: Move): Promise<object> => {
    await withOpen(ctx, input, async (tx, rollout) => {
      if (rollout.state !== 'halted') throw new ServerError('wrong_state', { publicMessage: 'It is not halted.' });
      const { releaseNumber, turns } = rollout;
      const turn = { atMs: ctx.nowMs, what: 'Resumed', who: ctx.actor.name, note: null };
      await tx.rollout.update({
        where: { releaseNumber },
        data: { state: 'rolling', haltReason: null, stageLiveAt: null, turns: dbJsonValue([...turns, turn]) },
      });
      await closeHaltItems(tx, { release: releaseNumber, who: personOf(ctx.actor), nowMs: ctx.nowMs });
      await appendAudit(tx, ctx, {
        did: 'resumed',
        what: `the rollout of r${releaseNumber}`,
        href: `/releases/${releaseNumber}`,
        release: releaseNumber,
      });
    });
    await moveOn(ctx);
    return {};
  };
}

async function withOpen(
  ctx: Ctx,
  input: Move,
  act: (tx: Tx, rollout: StoredRollout) => Promise<void>,
): Promise<object> {
  const { may, why } = mayRunReleases(ctx.actor, 'move a rollout');
  if (!may) throw new ServerError('not_permitted', { publicMessage: why });
  await withTransaction(ctx.db, async (tx) => {
    await lockPublishing(tx);
    const rollout = await readOpenRollout(tx);
    if (rollout?.releaseNumber !== input.number) {
      throw new ServerError('wrong_state', { publicMessage: `r${input.number} does not go out in stages now.` });
    }
    if (rollout.stage !== input.stage) {
      throw new ServerError('conflict', { publicMessage: `Stage ${rollout.stage} is open by now. Look again.` });
    }
    await act(tx, rollout);
    await notify(tx, 'releases', 'shell', 'changes', 'gateways', 'inbox');
  });
  return {};
}
