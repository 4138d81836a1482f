import 'server-only';
import { z } from 'zod';
import { DefinitionKind } from '#gateway/contract/definitions/definition.ts';
import type { Ctx } from '#server/context.ts';
import { type ChangeDetail, Edit } from '#server/contract/changes.ts';
import { readStoredChange, type StoredEdit } from '#server/db/changes.ts';
import type { Reader } from '#server/db/client.ts';
import { managedBy, readManaged } from '#server/db/managed.ts';
import { readRollout } from '#server/db/rollout.ts';
import { readQueue } from '#server/publication/queue.ts';
import { readReleaseStandings, releaseStanding } from '#server/publication/release-standing.ts';
import { readFirstRequest, type SpineEnd, spineOfChange } from '#server/publication/spine.ts';
import { rowOf } from './change-view.ts';
import { checkStored } from './check-change.ts';
import { readComments } from './comments/read-comments.ts';
import { permissionsOf } from './permissions.ts';
import { readReviewers, type Standing, standingOf } from './standing.ts';

/** The number in the path of every route of one change. */
export const ChangePath = z.object({ number: z.coerce.number().int().min(1).max(2_147_483_647) });

/** GET /api/changes/{number}: readable by everybody signed in. */
export async function readChange(ctx: Ctx, { number }: z.infer<typeof ChangePath>): Promise<ChangeDetail> {
  const change = await readStoredChange(ctx.db, number);
  const reviewers = await readReviewers(ctx.db, ctx);
  const standing = standingOf(change, reviewers);
  const { findings, effects, checks, tests } = await checkStored(ctx.db, change, ctx);
  const release = change.releaseNumber === null ? null : await readRelease(ctx.db, change.releaseNumber);
  const standings = await readReleaseStandings(ctx.db, ctx.nowMs);
  const end: SpineEnd | null =
    release === null
      ? null
      : {
          release,
          standing: releaseStanding(release, standings, ctx.nowMs),
          firstRequest: await readFirstRequest(ctx.db, release.number),
          turns: (await readRollout(ctx.db, release.number))?.turns ?? [],
        };
  const queue = new Set((await readQueue(ctx.db)).flatMap((queued) => queued.change ?? []));
  return {
    row: rowOf(standing, { release, standings, queue, nowMs: ctx.nowMs, findings }),
    reason: change.reason,
    link: change.link,
    emergency: change.emergency,
    againOf: change.againOf,
    edits: change.edits.map(editOf),
    source: change.source,
    managed: await readManagedEdits(ctx.db, change.edits),
    findings,
    effects,
    checks,
    tests,
    comments: await readComments(ctx.db, number),
    publishWhenApproved: change.publishWhenApproved,
    reviews: reviewsOf(standing),
    needs: standing.needs.map(({ from, mode, given, who }) => ({ from, mode, given, who: [...who] })),
    spine: spineOfChange(change, end),
    may: permissionsOf(standing, ctx.actor, { reviewers, findings, isQueued: queue.has(number) }),
    contentHash: change.contentHash,
  };
}

/** A stored edit as pages take it. */
export function editOf(edit: StoredEdit): Edit {
  const { kind, name, document, base, baseRevision, version } = edit;
  const act = document === null ? 'remove' : base === null ? 'add' : 'edit';
  return Edit.parse({ kind, name, act, document, base, baseRevision, version });
}

async function readManagedEdits(
  db: Reader,
  edits: readonly StoredEdit[],
): Promise<NonNullable<ChangeDetail['managed']>> {
  return (await readManaged(db, edits)).flatMap((row) => {
    const by = managedBy(row);
    return by === null ? [] : [{ kind: DefinitionKind.parse(row.kind), name: row.name, by }];
  });
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
      undoneBy: true,
      byName: true,
      selfApproved: true,
      emergency: true,
      reason: true,
    },
  });
}
