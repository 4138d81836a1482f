import 'server-only';
import type { DraftEdit } from '#server/compile/model.ts';
import type { Tx } from '#server/db/client.ts';

/** States of a change whose edits are still to be published. */
export const OPEN_STATES = ['draft', 'in review', 'needs work', 'approved', 'outdated'];

/**
 * Marks every other open change that edits one of these definitions as outdated: what it started from has moved on. Its
 * reviews are void, since they looked at something else. Changes of other definitions are untouched.
 */
export async function outdateOverlaps(
  tx: Tx,
  input: { readonly edits: readonly DraftEdit[]; readonly changeNumber: number | null; readonly nowMs: number },
): Promise<void> {
  if (input.edits.length === 0) return;
  const overlapping = await tx.changeEdit.findMany({
    where: {
      OR: input.edits.map(({ kind, name }) => ({ kind, name })),
      change: { state: { in: OPEN_STATES } },
      ...(input.changeNumber === null ? {} : { changeNumber: { not: input.changeNumber } }),
    },
    select: { changeNumber: true },
    distinct: ['changeNumber'],
  });
  const numbers = overlapping.map(({ changeNumber }) => changeNumber);
  if (numbers.length === 0) return;
  await tx.change.updateMany({
    where: { number: { in: numbers }, state: { in: OPEN_STATES } },
    data: { state: 'outdated', approvedAt: null, updatedAt: new Date(input.nowMs) },
  });
  await tx.review.updateMany({
    where: { changeNumber: { in: numbers }, voidedAt: null },
    data: { voidedAt: new Date(input.nowMs) },
  });
}
