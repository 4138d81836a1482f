import 'server-only';
import { z } from 'zod';
import { DefinitionKind } from '#gateway/contract/definitions/definition.ts';
import { compile } from '#server/compile/compile.ts';
import type { CompileResult } from '#server/compile/model.ts';
import type { Ctx } from '#server/context.ts';
import { type ChangeDetail, Edit } from '#server/contract/changes.ts';
import { readStoredChange, type StoredChange, type StoredEdit } from '#server/db/changes.ts';
import type { Reader } from '#server/db/client.ts';
import { loadSurroundings } from '#server/publication/load-definitions.ts';
import { readReleaseStandings, releaseStanding } from '#server/publication/release-standing.ts';
import { readFirstRequest, type SpineEnd, spineOfChange } from '#server/publication/spine.ts';
import { rowOf } from './change-view.ts';
import { permissionsOf } from './permissions.ts';
import { readReviewers, type Standing, standingOf } from './standing.ts';

/** The number in the path of every route of one change. */
export const ChangePath = z.object({ number: z.coerce.number().int().min(1).max(2_147_483_647) });

/** GET /api/changes/{number}: readable by everybody signed in. */
export async function readChange(ctx: Ctx, { number }: z.infer<typeof ChangePath>): Promise<ChangeDetail> {
  const change = await readStoredChange(ctx.db, number);
  const reviewers = await readReviewers(ctx.db, ctx);
  const standing = standingOf(change, reviewers);
  const { findings, effects } = await checkStored(ctx.db, change, ctx.nowMs);
  const release = change.releaseNumber === null ? null : await readRelease(ctx.db, change.releaseNumber);
  const standings = await readReleaseStandings(ctx.db, ctx.nowMs);
  const end: SpineEnd | null =
    release === null
      ? null
      : {
          release,
          standing: releaseStanding(release, standings, ctx.nowMs),
          firstRequest: await readFirstRequest(ctx.db, release.number),
        };
  return {
    row: rowOf(standing, { release, standings, nowMs: ctx.nowMs }),
    reason: change.reason,
    link: change.link,
    edits: change.edits.map(editOf),
    findings: [...findings],
    effects: [...effects],
    reviews: reviewsOf(standing),
    needs: standing.needs.map(({ from, mode, given, who }) => ({ from, mode, given, who: [...who] })),
    spine: spineOfChange(change, end),
    may: permissionsOf(standing, ctx.actor, { reviewers, findings }),
    contentHash: change.contentHash,
  };
}

/**
 * Checks a stored change against what is published now. A published or abandoned change is checked against nothing any
 * more: its edits are judged as of what they started from, for their effects alone.
 */
export async function checkStored(
  db: Reader,
  change: StoredChange,
  nowMs: number,
): Promise<Pick<CompileResult, 'findings' | 'effects'>> {
  if (change.edits.length === 0) return { findings: [], effects: [] };
  const surroundings = await loadSurroundings(db, nowMs);
  if (change.state !== 'published' && change.state !== 'abandoned') {
    return compile({ ...surroundings, edits: change.edits.map(draftOf) });
  }
  const edited = new Set(change.edits.map(({ kind, name }) => `${kind} ${name}`));
  const bases = change.edits.flatMap((edit) => (edit.base === null ? [] : [{ ...draftOf(edit), document: edit.base }]));
  const others = surroundings.published.filter(({ kind, name }) => !edited.has(`${kind} ${name}`));
  const before = compile({ ...surroundings, published: others, edits: bases }).definitions;
  const { effects } = compile({ ...surroundings, published: before, edits: change.edits.map(draftOf) });
  return { findings: [], effects };
}

/** A stored edit as compile takes it. */
export function draftOf({ kind, name, document }: StoredEdit) {
  return { kind: DefinitionKind.parse(kind), name, document };
}

/** A stored edit as pages take it. */
export function editOf(edit: StoredEdit): Edit {
  const { kind, name, document, base, baseRevision, version } = edit;
  const act = document === null ? 'remove' : base === null ? 'add' : 'edit';
  return Edit.parse({ kind, name, act, document, base, baseRevision, version });
}

function reviewsOf({ change }: Standing): ChangeDetail['reviews'] {
  return change.reviews.map((review) => ({
    reviewer: { id: review.reviewerId, name: review.reviewerName },
    verdict: review.verdict === 'approved' ? 'approved' : 'needs work',
    comment: review.comment,
    atMs: review.at.getTime(),
    self: review.self,
    voided: review.voidedAt !== null,
  }));
}

function readRelease(db: Reader, number: number) {
  return db.release.findUnique({
    where: { number },
    select: {
      number: true,
      createdAt: true,
      firstLiveAt: true,
      allLiveAt: true,
      byName: true,
      selfApproved: true,
      emergency: true,
      reason: true,
    },
  });
}
