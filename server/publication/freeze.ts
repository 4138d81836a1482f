import 'server-only';
import { Freeze } from '#server/contract/rollouts.ts';
import { ServerError } from '#server/contract/server-error.ts';
import type { Reader, Tx } from '#server/db/client.ts';
import { frozenWords } from './frozen-words.ts';

/** Key of the setting that holds it. */
export const FREEZE_KEY = 'freeze';

/** Who stopped publishing and why; null while it is not stopped. */
export async function readFreeze(db: Reader): Promise<Freeze | null> {
  const setting = await db.setting.findUnique({ where: { key: FREEZE_KEY } });
  return setting === null ? null : Freeze.parse(setting.value);
}

/** Refuses with `publishing_frozen` while publishing is stopped. */
export async function refuseFrozen(tx: Tx): Promise<void> {
  const freeze = await readFreeze(tx);
  if (freeze === null) return;
  throw new ServerError('publishing_frozen', {
    publicMessage: `${frozenWords(freeze)} Acts that only take away still pass; operators, security and admins unfreeze.`,
  });
}
