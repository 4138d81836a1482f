import 'server-only';
import type { EndedRollout } from '#server/contract/rollouts.ts';
import type { Reader } from '#server/db/client.ts';
import type { StartingPoint } from './starting-point.ts';

/** What an act that goes to all gateways at once ends: the release that goes out now, and its change. Null without one. */
export async function readEndedRollout(
  db: Reader,
  { rollout }: Pick<StartingPoint, 'rollout'>,
): Promise<EndedRollout | null> {
  if (rollout === null) return null;
  const { releaseNumber } = rollout;
  const change = await db.change.findUnique({ where: { releaseNumber }, select: { number: true, title: true } });
  return { release: releaseNumber, change: change?.number ?? null, title: change?.title ?? '' };
}
