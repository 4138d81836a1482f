import 'server-only';
import { RolloutRules } from '#server/contract/rollouts.ts';
import type { Reader } from '#server/db/client.ts';

/** Key of the setting that holds them. */
export const ROLLOUT_KEY = 'rollout';

/** Stages from the second gateway on, each opened by itself once it has been live and no worse for a minute. */
export const DEFAULT_RULES: RolloutRules = { staged: true, promotes: 'on evidence', afterSeconds: 60 };

/** The rules as stored; the default where none are, or where what is stored cannot be read. */
export async function readRolloutRules(db: Reader): Promise<RolloutRules> {
  const setting = await db.setting.findUnique({ where: { key: ROLLOUT_KEY } });
  const parsed = RolloutRules.safeParse(setting?.value);
  return parsed.success ? parsed.data : DEFAULT_RULES;
}
