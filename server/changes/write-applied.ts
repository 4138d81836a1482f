import 'server-only';
import { appendAudit } from '#server/audit/append.ts';
import type { Ctx } from '#server/context.ts';
import type { Applied, ApplyDefinitions } from '#server/contract/as-code.ts';
import { lockChange, type StoredEdit } from '#server/db/changes.ts';
import type { Tx } from '#server/db/client.ts';
import { dbJson } from '#server/db/json.ts';
import { contentHashOf } from '#server/publication/content-hash.ts';
import { OPEN_STATES } from '#server/publication/outdate-overlaps.ts';
import { type Locked, require, settleContent } from './act-on-change.ts';
import type { AppliedEdit } from './applied-edits.ts';
import { mayEditNow } from './permissions.ts';
import { readReviewers, standingOf } from './standing.ts';

interface Apply {
  readonly input: ApplyDefinitions;
  readonly edits: readonly AppliedEdit[];
}

/** Number of the repository's open change; null when it has none. */
export async function readOpenApplied(tx: Tx, source: string): Promise<number | null> {
  const change = await tx.change.findFirst({
    where: { source, state: { in: OPEN_STATES } },
    orderBy: { number: 'desc' },
    select: { number: true },
  });
  return change?.number ?? null;
}

/** Opens the repository's change with these edits, a draft. */
export async function openApplied(tx: Tx, ctx: Ctx, { input, edits }: Apply): Promise<Applied> {
  const { actor } = ctx;
  const now = new Date(ctx.nowMs);
  const contentHash = contentHashOf(edits);
  const { number } = await tx.change.create({
    data: {
      ...textOf(input),
      source: input.source,
      state: 'draft',
      authorId: actor.id,
      authorName: actor.name,
      createdAt: now,
      updatedAt: now,
      contentHash,
    },
    select: { number: true },
  });
  await tx.changeEdit.createMany({ data: edits.map((edit) => rowOf(ctx, edit, { changeNumber: number, version: 1 })) });
  await auditApplied(tx, ctx, { number, input, edits });
  const change = { number, state: 'draft' as const, contentHash, edits: edits.length };
  return { outcome: 'opened', change, abandoned: null };
}

/** Lays these edits over the repository's open change. The same ones leave it and its approvals as they are. */
export async function updateApplied(
  tx: Tx,
  ctx: Ctx,
  { number, input, edits }: Apply & { readonly number: number },
): Promise<Applied> {
  const locked = await lockForEdit(tx, ctx, number);
  const { change, state } = locked.standing;
  const shown = state === 'published' ? 'live' : state;
  const answer = { number, contentHash: change.contentHash, edits: edits.length };
  if (state !== 'outdated' && isSame(change.edits, edits)) {
    await tx.change.update({ where: { number }, data: textOf(input) });
    return { outcome: 'same', change: { ...answer, state: shown }, abandoned: null };
  }
  const contentHash = await replaceEdits(locked, ctx, edits);
  await tx.change.update({ where: { number }, data: { ...textOf(input), ...againADraft(state) } });
  await auditApplied(tx, ctx, { number, input, edits });
  const now = { draft: 'draft', outdated: 'draft', 'needs work': 'needs work' } as const;
  const stateNow = state === 'draft' || state === 'outdated' || state === 'needs work' ? now[state] : 'in review';
  return { outcome: 'updated', change: { ...answer, contentHash, state: stateNow }, abandoned: null };
}

/** Closes the repository's open change: the files say what is published, so it has nothing to say any more. */
export async function abandonApplied(tx: Tx, ctx: Ctx, number: number): Promise<void> {
  const { standing } = await lockForEdit(tx, ctx, number);
  const now = new Date(ctx.nowMs);
  await tx.change.update({ where: { number }, data: { state: 'abandoned', abandonedAt: now, updatedAt: now } });
  await appendAudit(tx, ctx, {
    did: 'abandoned',
    what: `∆${number} ${standing.change.title}`,
    href: `/changes/${number}`,
    because: `The files of ${standing.change.source ?? 'the repository'} say what is published.`,
  });
}

async function lockForEdit(tx: Tx, ctx: Ctx, number: number): Promise<Locked> {
  const change = await lockChange(tx, number);
  const reviewers = await readReviewers(tx, ctx);
  const standing = standingOf(change, reviewers);
  require(mayEditNow(standing, ctx.actor, reviewers));
  return { tx, standing, reviewers };
}

async function replaceEdits(locked: Locked, ctx: Ctx, edits: readonly AppliedEdit[]): Promise<string> {
  const { tx, standing } = locked;
  const changeNumber = standing.change.number;
  const known = new Map(standing.change.edits.map((edit) => [keyOf(edit), edit]));
  await tx.changeEdit.deleteMany({ where: { changeNumber } });
  const rows = edits.map((edit) => {
    const old = known.get(keyOf(edit));
    if (old !== undefined && isSame([old], [edit])) return { ...old, ...rowContent(old) };
    const writers = [...new Set([...(old?.writers ?? []), ctx.actor.id])];
    return { ...rowOf(ctx, edit, { changeNumber, version: (old?.version ?? 0) + 1 }), writers };
  });
  await tx.changeEdit.createMany({ data: rows });
  return settleContent(locked, await tx.changeEdit.findMany({ where: { changeNumber } }), ctx.nowMs);
}

function rowOf(
  ctx: Ctx,
  { kind, name, document, base, baseRevision }: AppliedEdit,
  place: { readonly changeNumber: number; readonly version: number },
) {
  return {
    ...place,
    kind,
    name,
    baseRevision,
    ...rowContent({ document, base }),
    updatedAt: new Date(ctx.nowMs),
    updatedById: ctx.actor.id,
    updatedByName: ctx.actor.name,
    writers: [ctx.actor.id],
  };
}

function rowContent({ document, base }: { readonly document: unknown; readonly base: unknown }) {
  return { document: dbJson(document), base: dbJson(base) };
}

function isSame(
  stored: readonly Pick<StoredEdit, 'kind' | 'name' | 'document' | 'baseRevision'>[],
  edits: readonly AppliedEdit[],
): boolean {
  return contentHashOf(stored) === contentHashOf(edits);
}

/** An outdated change stands on what is published now, so it begins again. */
function againADraft(state: string) {
  return state === 'outdated' ? { state: 'draft', submittedAt: null, approvedAt: null } : {};
}

function textOf({ title, reason, link }: ApplyDefinitions) {
  return { title, reason, link };
}

function keyOf({ kind, name }: { readonly kind: string; readonly name: string }): string {
  return `${kind} ${name}`;
}

async function auditApplied(
  tx: Tx,
  ctx: Ctx,
  { number, input, edits }: Apply & { readonly number: number },
): Promise<void> {
  await appendAudit(tx, ctx, {
    did: 'applied',
    what: `${input.source} as ∆${number} ${input.title}`,
    href: `/changes/${number}`,
    ...(input.reason === '' ? {} : { because: input.reason }),
    before: Object.fromEntries(edits.map((edit) => [keyOf(edit), edit.base])),
    after: Object.fromEntries(edits.map((edit) => [keyOf(edit), edit.document])),
  });
}
