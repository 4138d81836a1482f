import 'server-only';
import type { Person } from '#server/contract/people.ts';
import type { Tx } from '#server/db/client.ts';
import { dbJsonValue } from '#server/db/json.ts';
import type { StoredRollout } from '#server/db/rollout.ts';
import type { PublishRequest } from './publish-request.ts';
import { putBackToApproved } from './put-back.ts';

/**
 * Ends a rollout before it reached every gateway, since `release` goes to all of them from what they had before it. Its
 * change goes back to *Approved*, unless it is what the release undoes.
 */
export async function endRollout(
  tx: Tx,
  ending: {
    readonly rollout: StoredRollout;
    readonly by: Pick<PublishRequest, 'by' | 'cause' | 'edits' | 'rollback'>;
    readonly release: number;
    readonly nowMs: number;
  },
): Promise<void> {
  const { rollout, by, release, nowMs } = ending;
  await closeRollout(tx, { rollout, state: 'ended', what: `Ended by r${release}`, who: by.by, note: by.cause, nowMs });
  const { releaseNumber } = rollout;
  await tx.release.update({ where: { number: releaseNumber }, data: { undoneBy: release } });
  if (by.rollback?.undoes.includes(releaseNumber) === true) return;
  const change = await tx.change.findUnique({ where: { releaseNumber }, select: { number: true } });
  if (change !== null) await putBackToApproved(tx, { number: change.number, moved: by.edits, nowMs });
}

/** Writes that a rollout is over, with its last turn, and closes what the inbox says of it. */
export async function closeRollout(
  tx: Tx,
  closing: {
    readonly rollout: StoredRollout;
    readonly state: 'done' | 'ended';
    readonly what: string;
    readonly who: Person;
    readonly note: string | null;
    readonly nowMs: number;
  },
): Promise<void> {
  const { rollout, state, what, who, note, nowMs } = closing;
  await tx.rollout.update({
    where: { releaseNumber: rollout.releaseNumber },
    data: {
      state,
      endedAt: new Date(nowMs),
      turns: dbJsonValue([...rollout.turns, { atMs: nowMs, what, who: who.name, note }]),
    },
  });
  await closeHaltItems(tx, { release: rollout.releaseNumber, who, nowMs });
}

/** A halt that was answered no longer waits for anybody. */
export async function closeHaltItems(
  tx: Tx,
  { release, who, nowMs }: { readonly release: number; readonly who: Person; readonly nowMs: number },
): Promise<void> {
  await tx.inboxItem.updateMany({
    where: { subject: haltSubject(release), closedAt: null },
    data: { closedAt: new Date(nowMs), closedById: who.id, closedByName: who.name },
  });
}

/** What inbox items of a halted rollout are about. */
export function haltSubject(release: number): string {
  return `rollout:${release}`;
}
