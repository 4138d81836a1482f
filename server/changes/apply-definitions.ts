import 'server-only';
import { appendAudit } from '#server/audit/append.ts';
import { canWriteChanges } from '#server/auth/rights.ts';
import type { Ctx } from '#server/context.ts';
import type { Applied, ApplyDefinitions } from '#server/contract/as-code.ts';
import { ServerError } from '#server/contract/server-error.ts';
import { type Tx, withTransaction } from '#server/db/client.ts';
import { dropManaged, readManaged, writeManaged } from '#server/db/managed.ts';
import { notify } from '#server/db/notify.ts';
import { compareWithPublished, readPublishedNow, refuseDrift, refuseOthers } from './applied-edits.ts';
import { abandonApplied, openApplied, readOpenApplied, updateApplied } from './write-applied.ts';

/**
 * POST /api/definitions/apply: one change for what a repository's files say otherwise than what is published. There is one
 * open change per repository: other files replace its edits (its reviews are then void), the same files leave it and its
 * approvals as they are, and files that say what is published abandon it. Publishes nothing. Refuses with `not_permitted`,
 * `revision_conflict` when a release came since the files were compared, `conflict` for definitions that another
 * repository keeps or that somebody changed in the console since the last apply.
 */
export function applyDefinitions(ctx: Ctx, input: ApplyDefinitions): Promise<Applied> {
  if (!canWriteChanges(ctx.actor)) {
    throw new ServerError('not_permitted', {
      publicMessage: 'Changes are written by engineers, security, operators and admins.',
    });
  }
  return withTransaction(ctx.db, async (tx) => {
    // Two applies of one repository at one moment: the second finds the first one's change.
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`source ${input.source}`}, 0))`;
    await checkRelease(tx, input.release);
    const names = [...input.edits, ...input.unchanged];
    const published = await readPublishedNow(tx, names);
    const managed = await readManaged(tx, names);
    const comparison = compareWithPublished(input, published);
    if (!input.takeOver) refuseOthers(managed, input.source);
    if (!input.overwrite) refuseDrift(comparison, managed, published);
    const applied = await settleChange(tx, ctx, { input, edits: comparison.edits });
    await keep(tx, ctx, { input, kept: comparison.kept });
    await notify(tx, 'changes', 'inbox', 'shell');
    return applied;
  });
}

async function settleChange(
  tx: Tx,
  ctx: Ctx,
  { input, edits }: { readonly input: ApplyDefinitions; readonly edits: Parameters<typeof openApplied>[2]['edits'] },
): Promise<Applied> {
  const open = await readOpenApplied(tx, input.source);
  if (edits.length > 0) {
    return open === null
      ? openApplied(tx, ctx, { input, edits })
      : updateApplied(tx, ctx, { number: open, input, edits });
  }
  if (open !== null) await abandonApplied(tx, ctx, open);
  return { outcome: 'nothing to do', change: null, abandoned: open };
}

async function keep(
  tx: Tx,
  ctx: Ctx,
  { input, kept }: { readonly input: ApplyDefinitions; readonly kept: Parameters<typeof writeManaged>[1] },
): Promise<void> {
  const { id, name } = ctx.actor;
  await writeManaged(tx, kept, { source: input.source, at: new Date(ctx.nowMs), id, name });
  await dropManaged(tx, input.source, input.letGo);
  if (input.letGo.length === 0) return;
  await appendAudit(tx, ctx, {
    did: 'let go',
    what: `${input.letGo.length} definitions that ${input.source} kept`,
    after: { letGo: input.letGo },
  });
}

async function checkRelease(tx: Tx, release: number | null): Promise<void> {
  const newest = await tx.release.findFirst({
    orderBy: [{ epoch: 'desc' }, { number: 'desc' }],
    select: { number: true, cause: true },
  });
  if ((newest?.number ?? null) === release) return;
  throw new ServerError('revision_conflict', {
    publicMessage: `r${newest?.number ?? '?'} was published since you compared: ${newest?.cause ?? ''}. Compare again.`,
  });
}
