import 'server-only';
import type { Ctx } from '#server/context.ts';
import { ServerError } from '#server/contract/server-error.ts';
import { lockChange, type StoredEdit } from '#server/db/changes.ts';
import { type Tx, withTransaction } from '#server/db/client.ts';
import { notify } from '#server/db/notify.ts';
import { contentHashOf } from '#server/publication/content-hash.ts';
import type { Verdict } from './permissions.ts';
import { type Reviewers, readReviewers, type Standing, standingOf } from './standing.ts';

/** A change, locked, with what decides who may act on it. */
export interface Locked {
  readonly tx: Tx;
  readonly standing: Standing;
  readonly reviewers: Reviewers;
}

/** Runs one act on one change: in a transaction, with the change locked, and the pages told at commit. */
export function actOnChange<T>(ctx: Ctx, number: number, act: (locked: Locked) => Promise<T>): Promise<T> {
  return withTransaction(ctx.db, (tx) => actInTransaction(tx, ctx, { number, act }));
}

/** The same inside a transaction that holds other locks already. */
export async function actInTransaction<T>(
  tx: Tx,
  ctx: Pick<Ctx, 'env'>,
  { number, act }: { readonly number: number; readonly act: (locked: Locked) => Promise<T> },
): Promise<T> {
  const change = await lockChange(tx, number);
  const reviewers = await readReviewers(tx, ctx);
  const result = await act({ tx, standing: standingOf(change, reviewers), reviewers });
  await notify(tx, 'changes', 'inbox', 'shell');
  return result;
}

/** Refuses with the verdict's code and words, unless it allows. */
export function require(verdict: Verdict): void {
  if (verdict.code !== null) throw new ServerError(verdict.code, { publicMessage: verdict.why });
}

/**
 * Writes the content hash anew after its edits changed. When it differs, every standing review is void: it looked at
 * something else. An approved change goes back to review; one in review stays there and asks again.
 */
export async function settleContent(
  { tx, standing }: Pick<Locked, 'tx' | 'standing'>,
  edits: readonly StoredEdit[],
  nowMs: number,
): Promise<string> {
  const { change, state } = standing;
  const contentHash = contentHashOf(edits);
  const now = new Date(nowMs);
  const isSame = contentHash === change.contentHash;
  await tx.change.update({
    where: { number: change.number },
    data: {
      updatedAt: now,
      ...(isSame ? {} : { contentHash, approvedAt: null, state: state === 'approved' ? 'in review' : state }),
    },
  });
  if (!isSame) {
    await tx.review.updateMany({ where: { changeNumber: change.number, voidedAt: null }, data: { voidedAt: now } });
  }
  return contentHash;
}
