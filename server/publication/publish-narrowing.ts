import 'server-only';
import { randomUUID } from 'node:crypto';
import { tooMany } from '#server/compile/access-effects.ts';
import { compile } from '#server/compile/compile.ts';
import type { DraftEdit, Effect } from '#server/compile/model.ts';
import { type Ctx, personOf } from '#server/context.ts';
import type { Role } from '#server/contract/people.ts';
import type { Tx } from '#server/db/client.ts';
import { publishRelease } from './publish-release.ts';
import type { RollbackRecord } from './rollback-record.ts';
import { overlay, type StartingPoint } from './starting-point.ts';

export interface NarrowingAct {
  readonly edits: readonly DraftEdit[];
  /** Past tense with its object, as in *Emergency: revoked key hk_7Q of search*. */
  readonly what: string;
  readonly reason: string;
  readonly href: string;
  /** What the follow-up is about, so that a later act can close it. */
  readonly subject: string;
  /** Who looks at it afterwards. */
  readonly followUp: Role;
  readonly rollback?: RollbackRecord;
}

/**
 * Publishes an act that only takes away: at once, to all gateways, without review, frozen or not. It reads *Emergency* and
 * leaves a follow-up review in the inbox. Under `lockPublishing`. The caller has checked that nothing widens, and writes
 * the audit row.
 */
export async function publishNarrowing(tx: Tx, ctx: Ctx, act: NarrowingAct): Promise<number> {
  const actor = personOf(ctx.actor);
  const { number } = await publishRelease(tx, ctx, {
    edits: act.edits,
    cause: `Emergency: ${act.what}`,
    reason: act.reason,
    by: actor,
    author: actor,
    approvedBy: null,
    selfApproved: false,
    changeNumber: null,
    emergency: true,
    narrows: true,
    rollback: act.rollback ?? null,
  });
  await tx.inboxItem.create({
    data: {
      id: randomUUID(),
      kind: 'follow-up',
      role: act.followUp,
      text: `Follow up: ${actor.name} ${act.what}: ${act.reason}`,
      href: act.href,
      subject: act.subject,
      closable: true,
      at: new Date(ctx.nowMs),
    },
  });
  return number;
}

/** What the edits would newly allow or raise, against what gateways had before an open rollout. */
export function wideningOf(from: StartingPoint, edits: readonly DraftEdit[]): readonly string[] {
  if (edits.length === 0) return [];
  const { effects } = compile({ ...from.surroundings, published: from.start, edits });
  return effects.filter(isWidening).map(({ text }) => text);
}

/** Findings and effects against what is newest, as people see it. */
export function foreseen(from: StartingPoint, edits: readonly DraftEdit[]) {
  return compile({ ...from.surroundings, edits: overlay(from.restore, edits) });
}

/** What could not be compared might widen, so it counts. */
function isWidening({ tone, text }: Effect): boolean {
  return tone === 'widens' || text === tooMany.text;
}
