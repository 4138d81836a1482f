import 'server-only';
import { randomUUID } from 'node:crypto';
import { type AuditActor, appendAudit } from '#server/audit/append.ts';
import type { Tx } from '#server/db/client.ts';
import { dbJsonValue } from '#server/db/json.ts';
import { notify } from '#server/db/notify.ts';
import { type StoredRollout, stageCount } from '#server/db/rollout.ts';
import { haltSubject } from './end-rollout.ts';

/**
 * Stops a rollout where it is: no further stage opens, gateways that have the release keep it. Its author and the operators
 * find it in their inbox until somebody resumes it or rolls back.
 */
export async function haltRollout(
  tx: Tx,
  { rollout, by, why }: { readonly rollout: StoredRollout; readonly by: AuditActor; readonly why: string },
): Promise<void> {
  const { releaseNumber } = rollout;
  const where = `stage ${rollout.stage} of ${stageCount(rollout)}`;
  const turn = { atMs: by.nowMs, what: `Halted at ${where}`, who: by.actor.name, note: why };
  await tx.rollout.update({
    where: { releaseNumber },
    data: { state: 'halted', haltReason: why, turns: dbJsonValue([...rollout.turns, turn]) },
  });
  const change = await tx.change.findUnique({ where: { releaseNumber }, select: { authorId: true } });
  await tx.inboxItem.create({
    data: {
      id: randomUUID(),
      kind: 'change',
      // For either: whoever is both finds it once.
      role: 'operator',
      userId: change?.authorId ?? null,
      text: `r${releaseNumber} is halted at ${where}: ${why}`,
      href: `/releases/${releaseNumber}`,
      subject: haltSubject(releaseNumber),
      closable: false,
      at: new Date(by.nowMs),
    },
  });
  await appendAudit(tx, by, {
    did: 'halted',
    what: `the rollout of r${releaseNumber} at ${where}`,
    href: `/releases/${releaseNumber}`,
    because: why,
    release: releaseNumber,
  });
  await notify(tx, 'releases', 'shell', 'changes', 'inbox', 'gateways');
}
