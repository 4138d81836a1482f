import 'server-only';
import { canonicalJson } from '#gateway/contract/release.ts';
import { mergeEdit } from '#server/compile/merge-edit.ts';
import { readStoredChange, type StoredChange, type StoredEdit } from '#server/db/changes.ts';
import type { Tx } from '#server/db/client.ts';
import { dbJson } from '#server/db/json.ts';
import { contentHashOf } from './content-hash.ts';
import type { RollbackRecord } from './rollback-record.ts';

interface Settling {
  /** The release that undoes. */
  readonly release: number;
  readonly rollback: RollbackRecord;
  readonly nowMs: number;
}

/**
 * What a rollback means for the changes behind the releases it undoes: each is *Undone* with a link to the release that did
 * it, and its edits are a draft *Again: …* of its author, so that work is not lost. What one of them had undone holds
 * again. Runs after the definitions are written.
 */
export async function settleRollback(tx: Tx, { release, rollback, nowMs }: Settling): Promise<void> {
  const now = new Date(nowMs);
  const { undoes, redoes } = rollback;
  await tx.release.updateMany({ where: { number: { in: undoes } }, data: { undoneBy: release } });
  await tx.release.updateMany({ where: { number: { in: redoes } }, data: { undoneBy: null } });
  await tx.change.updateMany({
    where: { releaseNumber: { in: redoes }, state: 'undone' },
    data: { state: 'published', undoneAt: null, undoneBy: null, updatedAt: now },
  });
  const undone = await tx.change.findMany({
    where: { releaseNumber: { in: undoes }, state: 'published' },
    select: { number: true },
    orderBy: { number: 'asc' },
  });
  await tx.change.updateMany({
    where: { number: { in: undone.map(({ number }) => number) } },
    data: { state: 'undone', undoneAt: now, undoneBy: release, updatedAt: now },
  });
  for (const { number } of undone) await draftAgain(tx, await readStoredChange(tx, number), nowMs);
}

interface NewEdit extends Pick<StoredEdit, 'kind' | 'name' | 'document' | 'base' | 'baseRevision' | 'writers'> {}

async function draftAgain(tx: Tx, change: StoredChange, nowMs: number): Promise<void> {
  // Undoing an undo has nothing to repeat: what it took back holds again.
  if (change.rollback !== null) return;
  const edits: NewEdit[] = [];
  for (const edit of change.edits) edits.push(...(await editAgain(tx, edit)));
  if (edits.length === 0) return;
  const now = new Date(nowMs);
  const { authorId, authorName, reason, link } = change;
  await tx.change.create({
    data: {
      title: `Again: ${change.title.replace(/^(Again: )+/, '')}`.slice(0, 120),
      reason,
      link,
      state: 'draft',
      authorId,
      authorName,
      createdAt: now,
      updatedAt: now,
      contentHash: contentHashOf(edits),
      againOf: change.number,
      edits: {
        create: edits.map((edit) => ({
          ...edit,
          document: dbJson(edit.document),
          base: dbJson(edit.base),
          version: 1,
          updatedAt: now,
          updatedById: authorId,
          updatedByName: authorName,
        })),
      },
    },
  });
}

/** What the edit alone had changed, laid over what is published now; nothing when that is so already. */
async function editAgain(tx: Tx, edit: StoredEdit): Promise<readonly NewEdit[]> {
  const { kind, name, writers } = edit;
  const definition = await tx.definition.findUnique({ where: { kind_name: { kind, name } } });
  const theirs = definition === null || definition.removed ? null : definition.document;
  const { document } = mergeEdit({ base: edit.base, mine: edit.document, theirs }, () => 'mine');
  if (canonicalJson(document) === canonicalJson(theirs)) return [];
  return [{ kind, name, writers, document: asJson(document), base: theirs, baseRevision: definition?.revision ?? 0 }];
}

function asJson(document: unknown): StoredEdit['document'] {
  return document === null ? null : JSON.parse(JSON.stringify(document));
}
