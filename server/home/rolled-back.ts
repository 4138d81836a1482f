import 'server-only';
import { RollbackOf } from '#server/contract/rollouts.ts';
import type { Shell } from '#server/contract/shell.ts';
import type { Reader } from '#server/db/client.ts';

/** Told on every page for this long, unless something is published before. */
const TOLD_MS = 24 * 3_600_000;

/** The rollback that everybody works on now: the newest release, when it is one and young. */
export async function readRolledBack(db: Reader, nowMs: number): Promise<Shell['rolledBack']> {
  const newest = await db.release.findFirst({
    orderBy: [{ epoch: 'desc' }, { number: 'desc' }],
    select: { number: true, rollback: true, byId: true, byName: true, reason: true, createdAt: true },
  });
  if (newest === null || newest.rollback === null || nowMs - newest.createdAt.getTime() > TOLD_MS) return null;
  const { mode, release } = RollbackOf.parse(newest.rollback);
  return {
    release: newest.number,
    of: { mode, release },
    by: { id: newest.byId, name: newest.byName },
    reason: newest.reason,
    sinceMs: newest.createdAt.getTime(),
  };
}
