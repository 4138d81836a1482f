import 'server-only';
import type { z } from 'zod';
import { ciActor } from '#server/auth/ci-actor.ts';
import type { Ctx } from '#server/context.ts';
import type { ChangePage, ChangeQuery } from '#server/contract/changes.ts';
import { countChanges, listStoredChanges } from '#server/db/changes.ts';
import { pageOf, readCursor, type TimeCursor } from '#server/db/time-cursor.ts';
import { OPEN_STATES } from '#server/publication/outdate-overlaps.ts';
import { readQueue } from '#server/publication/queue.ts';
import { readReleaseStandings } from '#server/publication/release-standing.ts';
import { rowOf } from './change-view.ts';
import { readReviewers, standingOf } from './standing.ts';

const STATES = { open: OPEN_STATES, published: ['published', 'undone'], abandoned: ['abandoned'], all: null } as const;
const COUNT_UP_TO = 10_000;

/** GET /api/changes: newest first by last update. The number of queries does not depend on the number of changes. */
export async function listChanges(ctx: Ctx, input: z.infer<typeof ChangeQuery>): Promise<z.infer<typeof ChangePage>> {
  const filter = { states: STATES[input.state], words: input.q, authors: await authorsOf(ctx, input.by) };
  const cursor = readCursor(input.cursor);
  const isNewer = cursor?.way === 'newer';
  const stored = await listStoredChanges(ctx.db, filter, { place: placeOf(cursor), isNewer, limit: input.limit + 1 });
  const releases = await ctx.db.release.findMany({
    where: { number: { in: stored.flatMap(({ releaseNumber }) => releaseNumber ?? []) } },
    select: { number: true, createdAt: true, firstLiveAt: true, allLiveAt: true, undoneBy: true },
  });
  const [reviewers, standings, total, queued] = await Promise.all([
    readReviewers(ctx.db, ctx),
    readReleaseStandings(ctx.db, ctx.nowMs),
    countChanges(ctx.db, filter, COUNT_UP_TO),
    readQueue(ctx.db),
  ]);
  const placed = stored.map((change) => ({ atMs: change.updatedAt.getTime(), id: String(change.number), change }));
  const { items, ...cursors } = pageOf(placed, cursor, input.limit);
  const queue = new Set(queued.flatMap(({ change }) => change ?? []));
  const rows = items.map(({ change }) => {
    const release = releases.find(({ number }) => number === change.releaseNumber) ?? null;
    return rowOf(standingOf(change, reviewers), { release, standings, queue, nowMs: ctx.nowMs });
  });
  return { items: rows, ...cursors, total: total > COUNT_UP_TO ? null : total };
}

/** Ids of whose changes are wanted: one's own, or those of everybody in one's teams and of the teams' CI. */
async function authorsOf({ db, actor }: Ctx, by: z.infer<typeof ChangeQuery>['by']): Promise<readonly string[] | null> {
  if (by === 'all') return null;
  if (by === 'me') return [actor.id];
  const members = await db.membership.findMany({ where: { team: { in: [...actor.teams] } }, select: { userId: true } });
  return [actor.id, ...members.map(({ userId }) => userId), ...actor.teams.map((team) => ciActor(team).id)];
}

function placeOf(cursor: TimeCursor | null) {
  if (cursor === null) return {};
  const at = new Date(cursor.atMs);
  const number = Number(cursor.id);
  return cursor.way === 'older'
    ? { OR: [{ updatedAt: { lt: at } }, { updatedAt: at, number: { lt: number } }] }
    : { OR: [{ updatedAt: { gt: at } }, { updatedAt: at, number: { gt: number } }] };
}
