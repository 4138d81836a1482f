import 'server-only';
import { z } from 'zod';
import { appendAudit } from '#server/audit/append.ts';
import { type Ctx, personOf } from '#server/context.ts';
import { type Freeze, type FreezeState, SetFreeze } from '#server/contract/rollouts.ts';
import { ServerError } from '#server/contract/server-error.ts';
import { withTransaction } from '#server/db/client.ts';
import { dbJsonValue } from '#server/db/json.ts';
import { notify } from '#server/db/notify.ts';
import { FREEZE_KEY, readFreeze } from '#server/publication/freeze.ts';
import { lockPublishing } from '#server/publication/publish-release.ts';
import type { MoveOn } from './ports.ts';
import { mayRunReleases } from './rollback-rights.ts';

export const NoInput = z.object({});
export const SetFreezeInput = SetFreeze;
type Input = z.infer<typeof SetFreezeInput>;

/** GET /api/releases/freeze: readable by everybody signed in. */
export async function readFreezeState(ctx: Ctx): Promise<z.infer<typeof FreezeState>> {
  return { freeze: await readFreeze(ctx.db), may: mayRunReleases(ctx.actor, 'freeze and unfreeze publishing') };
}

/**
 * POST /api/releases/freeze: stops every publish that could widen anything, until somebody unfreezes. A publish in
 * progress ends first. Operators, security, admins (`not_permitted`); `wrong_state` when it is frozen already.
 */
export function freezePublishing(ctx: Ctx, { reason }: Input): Promise<object> {
  return withTransaction(ctx.db, async (tx) => {
    refuseOthers(ctx);
    await lockPublishing(tx);
    const known = await readFreeze(tx);
    if (known !== null) {
      throw new ServerError('wrong_state', { publicMessage: `${known.by.name} froze publishing: ${known.reason}` });
    }
    const freeze: Freeze = { by: personOf(ctx.actor), reason, sinceMs: ctx.nowMs };
    await tx.setting.create({ data: { key: FREEZE_KEY, value: dbJsonValue(freeze) } });
    await appendAudit(tx, ctx, { did: 'froze', what: 'publishing', href: '/releases', because: reason });
    await notify(tx, 'shell', 'releases', 'changes');
    return {};
  });
}

/** POST /api/releases/unfreeze: what waits in the queue goes on. `wrong_state` when it is not frozen. */
export function unfreezeWith(moveOn: MoveOn) {
  return async (ctx: Ctx, { reason }: Input): Promise<object> => {
    await withTransaction(ctx.db, async (tx) => {
      refuseOthers(ctx);
      await lockPublishing(tx);
      const { count } = await tx.setting.deleteMany({ where: { key: FREEZE_KEY } });
      if (count === 0) throw new ServerError('wrong_state', { publicMessage: 'Publishing is not frozen.' });
      await appendAudit(tx, ctx, { did: 'unfroze', what: 'publishing', href: '/releases', because: reason });
      await notify(tx, 'shell', 'releases', 'changes');
    });
    await moveOn(ctx);
    return {};
  };
}

function refuseOthers(ctx: Ctx): void {
  const { may, why } = mayRunReleases(ctx.actor, 'freeze and unfreeze publishing');
  if (!may) throw new ServerError('not_permitted', { publicMessage: why });
}
