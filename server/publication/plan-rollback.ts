import 'server-only';
import type { Definition } from '#gateway/contract/definitions/definition.ts';
import { changedFields } from '#server/compile/describe-edits.ts';
import { mergeEdit } from '#server/compile/merge-edit.ts';
import { type DraftEdit, keyOf } from '#server/compile/model.ts';
import type { RollbackOf } from '#server/contract/rollouts.ts';
import type { Reader } from '#server/db/client.ts';
import { touchedSince } from './definitions-at.ts';
import { draftOf } from './draft-of.ts';
import type { RollbackRecord } from './rollback-record.ts';
import { differing, overlay, type StartingPoint } from './starting-point.ts';

export interface RollbackPlan extends RollbackRecord {
  /** Laid over what the release starts from. */
  readonly edits: readonly DraftEdit[];
  /** Why it cannot be done so, one sentence for each place that moved on since. */
  readonly stuck: readonly string[];
}

/** What *undo* or *return* would do from here. Reads only. */
export async function planRollback(db: Reader, of: RollbackOf, from: StartingPoint): Promise<RollbackPlan> {
  return of.mode === 'undo' ? planUndo(db, of.release, from) : planReturn(db, of.release, from);
}

async function planReturn(db: Reader, release: number, from: StartingPoint): Promise<RollbackPlan> {
  // What an open rollout changed differs from the start as well, also where nothing moved since the release.
  const published = new Map(from.surroundings.published.map((definition) => [keyOf(definition), definition.document]));
  const rolling = from.restore.map(({ kind, name }) => ({
    kind,
    name,
    document: published.get(keyOf({ kind, name })) ?? null,
  }));
  const edits = differing(from.start, overlay(rolling, await touchedSince(db, release)));
  const later = await db.definitionRevision.findMany({
    where: { releaseNumber: { gt: release } },
    select: { releaseNumber: true },
    distinct: ['releaseNumber'],
  });
  const standing = await db.release.findMany({
    where: { number: { in: later.map(({ releaseNumber }) => releaseNumber) }, undoneBy: null },
    select: { number: true },
    orderBy: { number: 'desc' },
  });
  const again = await db.release.findMany({
    where: { number: { lte: release }, undoneBy: { gt: release } },
    select: { number: true },
  });
  const undoes = standing.map(({ number }) => number);
  return { mode: 'return', release, edits, stuck: [], undoes, redoes: again.map(({ number }) => number) };
}

async function planUndo(db: Reader, release: number, from: StartingPoint): Promise<RollbackPlan> {
  const plan = { mode: 'undo' as const, release, undoes: [release] };
  const again = await db.release.findMany({ where: { undoneBy: release }, select: { number: true } });
  const redoes = again.map(({ number }) => number);
  // It is still going out: ending its rollout is all that undoes it.
  if (from.rollout?.releaseNumber === release) return { ...plan, redoes, edits: [], stuck: [] };
  const did = await db.definitionRevision.findMany({ where: { releaseNumber: release } });
  const before = await db.definitionRevision.findMany({
    where: { OR: did.map(({ kind, name, revision }) => ({ kind, name, revision: revision - 1 })) },
  });
  const now = new Map(from.start.map((definition) => [keyOf(definition), definition]));
  const undone = did.map((revision) => {
    const was = before.find(({ kind, name }) => kind === revision.kind && name === revision.name);
    return undoOne({ revision, was: was?.document ?? null, now: now.get(keyOf(draftOf(revision))) ?? null });
  });
  const edits = differing(
    from.start,
    undone.flatMap(({ edit }) => edit ?? []),
  );
  return { ...plan, redoes, edits, stuck: undone.flatMap(({ stuck }) => stuck) };
}

/** One definition without what the release did to it; what others did since stays, where it is at other places. */
function undoOne(of: {
  readonly revision: { readonly kind: string; readonly name: string; readonly document: unknown };
  readonly was: unknown;
  readonly now: Definition | null;
}): { readonly edit: DraftEdit | null; readonly stuck: readonly string[] } {
  const { revision, was, now } = of;
  const draft = draftOf(revision);
  const theirs = now?.document ?? null;
  const hasMoved = changedFields(revision.document, theirs).length > 0;
  if (!hasMoved) return { edit: { ...draft, document: was }, stuck: [] };
  const { document, open } = mergeEdit({ base: revision.document, mine: was, theirs }, () => undefined);
  if (open.length === 0) return { edit: { ...draft, document }, stuck: [] };
  const stuck = open.map(
    ({ path }) => `${path === '' ? draft.name : `${draft.name}.${path}`} was changed again since.`,
  );
  return { edit: null, stuck };
}
