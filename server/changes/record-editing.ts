import 'server-only';
import { appendAudit } from '#server/audit/append.ts';
import type { Ctx } from '#server/context.ts';
import type { StoredChange, StoredEdit } from '#server/db/changes.ts';
import type { Tx } from '#server/db/client.ts';
import { dbJson } from '#server/db/json.ts';
import { notify } from '#server/db/notify.ts';

/** Drafts are saved while they are typed; so many saves of one person in one change make one row of the log. */
const FOLD_MS = 10 * 60_000;

/**
 * Writes draft editing into the audit log: one row per person, change and ten minutes, whose `after` holds the last draft
 * of each definition touched and whose count says how many saves it stands for.
 */
export async function recordEditing(
  tx: Tx,
  ctx: Ctx,
  {
    change,
    edit,
  }: { readonly change: StoredChange; readonly edit: Pick<StoredEdit, 'kind' | 'name' | 'base' | 'document'> },
): Promise<void> {
  const href = `/changes/${change.number}`;
  const key = `${edit.kind} ${edit.name}`;
  const open = await tx.auditEvent.findFirst({
    where: {
      source: 'console',
      actorId: ctx.actor.id,
      did: 'edited',
      href,
      at: { gt: new Date(ctx.nowMs - FOLD_MS) },
    },
    orderBy: { id: 'desc' },
  });
  if (open === null) {
    await appendAudit(tx, ctx, {
      did: 'edited',
      what: `∆${change.number} ${change.title}`,
      href,
      before: { [key]: edit.base },
      after: { [key]: edit.document },
    });
    return;
  }
  await tx.auditEvent.update({
    where: { id: open.id },
    data: {
      count: { increment: 1 },
      before: dbJson({ ...objectOf(open.before), [key]: edit.base }),
      after: dbJson({ ...objectOf(open.after), [key]: edit.document }),
    },
  });
  await notify(tx, 'audit');
}

function objectOf(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}
