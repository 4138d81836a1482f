import 'server-only';
import { type AuditActor, appendAudit } from '#server/audit/append.ts';
import type { StoredChange } from '#server/db/changes.ts';
import type { Tx } from '#server/db/client.ts';
import type { StoredRollout } from '#server/db/rollout.ts';
import { rolloutWords } from '#server/publication/rollout-words.ts';

/** What a queued change waits for, in one line. */
export function queuedWords(rollout: Pick<StoredRollout, 'releaseNumber' | 'stage' | 'stages'> | null): string {
  return rollout === null
    ? 'Waits for its turn; then it is published by itself.'
    : `Waits for ${rolloutWords(rollout)}; then it is published by itself.`;
}

export function auditQueued(
  tx: Tx,
  by: AuditActor,
  { change, rollout }: { readonly change: StoredChange; readonly rollout: StoredRollout },
): Promise<void> {
  return appendAudit(tx, by, {
    did: 'queued',
    what: `∆${change.number} ${change.title} behind ${rolloutWords(rollout)}`,
    href: `/changes/${change.number}`,
  });
}
