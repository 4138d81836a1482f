import 'server-only';
import type { ChangeRow, ChangeState } from '#server/contract/changes.ts';
import type { Standings } from '#server/db/gateway-standing.ts';
import { type ReleaseFacts, releaseStanding } from '#server/publication/release-standing.ts';
import type { Standing } from './standing.ts';
import { waitsFor } from './waits-for.ts';

/** The state as people see it: a published change is rolling out until every gateway has had its release live. */
export function shownState(standing: Standing, release: ReleaseFacts | null, isLive: boolean): ChangeState {
  if (standing.state !== 'published') return standing.state;
  return isLive || (release !== null && release.allLiveAt !== null) ? 'live' : 'rolling out';
}

/** A change as a row of a list. */
export function rowOf(
  standing: Standing,
  context: { readonly release: ReleaseFacts | null; readonly standings: Standings; readonly nowMs: number },
): ChangeRow {
  const { change, author } = standing;
  const live = context.release === null ? null : releaseStanding(context.release, context.standings, context.nowMs);
  return {
    number: change.number,
    title: change.title,
    state: shownState(standing, context.release, live?.isLive ?? false),
    author,
    edits: change.edits.length,
    release: change.releaseNumber,
    waitsFor: waitsFor(standing, live?.state ?? null),
    updatedAtMs: change.updatedAt.getTime(),
  };
}
