import 'server-only';
import type { ChangeRow, ChangeState, Finding } from '#server/contract/changes.ts';
import type { Standings } from '#server/db/gateway-standing.ts';
import { type ReleaseFacts, releaseStanding } from '#server/publication/release-standing.ts';
import { queuedWords } from './queued.ts';
import type { Standing } from './standing.ts';
import { waitsFor } from './waits-for.ts';

interface RowContext {
  readonly release: ReleaseFacts | null;
  readonly standings: Standings;
  /** Numbers of the changes that wait for an open rollout. */
  readonly queue: ReadonlySet<number>;
  readonly nowMs: number;
  /** Of its checks, where they ran. */
  readonly findings?: readonly Finding[] | undefined;
}

/**
 * The state as people see it: a published change is rolling out until every gateway has had its release live, or halted
 * where its rollout is.
 */
function shownState(standing: Standing, { release, standings }: RowContext, isLive: boolean): ChangeState {
  if (standing.state !== 'published') return standing.state;
  const { rollout } = standings;
  if (rollout?.state === 'halted' && rollout.releaseNumber === release?.number) return 'halted';
  return isLive || (release !== null && release.allLiveAt !== null) ? 'live' : 'rolling out';
}

/** A change as a row of a list. */
export function rowOf(standing: Standing, context: RowContext): ChangeRow {
  const { change, author } = standing;
  const live = context.release === null ? null : releaseStanding(context.release, context.standings, context.nowMs);
  return {
    number: change.number,
    title: change.title,
    state: shownState(standing, context, live?.isLive ?? false),
    author,
    edits: change.edits.length,
    release: change.releaseNumber,
    waitsFor: context.queue.has(change.number)
      ? queuedWords(context.standings.rollout)
      : waitsFor(standing, { live: live?.state ?? null, findings: context.findings }),
    updatedAtMs: change.updatedAt.getTime(),
  };
}
