import 'server-only';
import type { Home } from '#server/contract/shell.ts';
import type { Reader } from '#server/db/client.ts';
import { readOpenRollout, stageCount } from '#server/db/rollout.ts';

/** A rollout that was halted, by measurement or by hand, until somebody decides; everything behind it waits. */
export async function haltedRollouts(db: Reader): Promise<Home['rightNow']> {
  const rollout = await readOpenRollout(db);
  if (rollout?.state !== 'halted') return [];
  const { releaseNumber, stage, haltReason, turns } = rollout;
  return [
    {
      text: `r${releaseNumber} is halted at stage ${stage} of ${stageCount(rollout)}: ${haltReason ?? ''}`,
      href: `/releases/${releaseNumber}`,
      severity: 'error',
      sinceMs: turns.at(-1)?.atMs ?? 0,
    },
  ];
}
