import 'server-only';
import { type DraftEdit, keyOf } from '#server/compile/model.ts';
import { lockChange, type StoredEdit } from '#server/db/changes.ts';
import type { Tx } from '#server/db/client.ts';
import { dbJson } from '#server/db/json.ts';
import { contentHashOf } from './content-hash.ts';
import { draftOf } from './draft-of.ts';

/**
 * Makes a change whose release was taken back from its gateways *Approved* again: its edits stand on the revisions of
 * this moment, and what was said of the very same edits still counts. Where `moved` names what it edits, it is outdated
 * instead, since that did change.
 */
export async function putBackToApproved(
  tx: Tx,
  { number, moved, nowMs }: { readonly number: number; readonly moved: readonly DraftEdit[]; readonly nowMs: number },
): Promise<void> {
  const change = await lockChange(tx, number);
  const touched = new Set(moved.map(keyOf));
  const edits: StoredEdit[] = [];
  for (const edit of change.edits) {
    // What moved under an edit is merged when the change is brought up to date; until then it stands where it stood.
    edits.push(touched.has(keyOf(draftOf(edit))) ? edit : await standOnNow(tx, edit));
  }
  const contentHash = contentHashOf(edits);
  const isOutdated = edits.some((edit) => touched.has(keyOf(draftOf(edit))));
  const now = new Date(nowMs);
  await tx.change.update({
    where: { number },
    data: {
      state: isOutdated ? 'outdated' : 'approved',
      releaseNumber: null,
      publishedAt: null,
      updatedAt: now,
      contentHash,
      ...(isOutdated ? { approvedAt: null } : {}),
    },
  });
  await tx.review.updateMany({
    where: { changeNumber: number, voidedAt: null, contentHash: change.contentHash },
    data: isOutdated ? { voidedAt: now } : { contentHash },
  });
}

async function standOnNow(tx: Tx, edit: StoredEdit): Promise<StoredEdit> {
  const { changeNumber, kind, name } = edit;
  const definition = await tx.definition.findUnique({ where: { kind_name: { kind, name } } });
  const base = definition === null || definition.removed ? null : definition.document;
  return tx.changeEdit.update({
    where: { changeNumber_kind_name: { changeNumber, kind, name } },
    data: { base: dbJson(base), baseRevision: definition?.revision ?? 0 },
  });
}
