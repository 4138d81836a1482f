import 'server-only';
import type { z } from 'zod';
import { appendAudit } from '#server/audit/append.ts';
import type { Ctx } from '#server/context.ts';
import { RolloutRules, type RolloutRulesState } from '#server/contract/rollouts.ts';
import { ServerError } from '#server/contract/server-error.ts';
import { withTransaction } from '#server/db/client.ts';
import { dbJsonValue } from '#server/db/json.ts';
import { notify } from '#server/db/notify.ts';
import { ROLLOUT_KEY, readRolloutRules } from '#server/publication/rollout-rules.ts';
import { mayRunReleases } from './rollback-rights.ts';

const ACT = 'set how releases go out';

/** GET /api/releases/rollout-rules: readable by everybody signed in. */
export async function readRolloutRulesState(ctx: Ctx): Promise<z.infer<typeof RolloutRulesState>> {
  return { rules: await readRolloutRules(ctx.db), may: mayRunReleases(ctx.actor, ACT) };
}

/** PUT /api/releases/rollout-rules: for releases from now on; one that goes out now keeps its own. `not_permitted`. */
export function setRolloutRules(ctx: Ctx, rules: RolloutRules): Promise<object> {
  const { may, why } = mayRunReleases(ctx.actor, ACT);
  if (!may) throw new ServerError('not_permitted', { publicMessage: why });
  return withTransaction(ctx.db, async (tx) => {
    const before = await readRolloutRules(tx);
    const value = dbJsonValue(rules);
    await tx.setting.upsert({ where: { key: ROLLOUT_KEY }, create: { key: ROLLOUT_KEY, value }, update: { value } });
    await appendAudit(tx, ctx, { did: 'set', what: 'how releases go out', href: '/releases', before, after: rules });
    await notify(tx, 'releases');
    return {};
  });
}

export const RolloutRulesInput = RolloutRules;
