import 'server-only';
import { durationWords, isAllLive, liveSentence } from '#server/contract/gateway-state.ts';
import type { Reader } from '#server/db/client.ts';
import { readStandings, type Standings } from '#server/db/gateway-standing.ts';
import { stageCount } from '#server/db/rollout.ts';

/** What a release's row tells of where it is live. */
export interface ReleaseFacts {
  readonly number: number;
  readonly createdAt: Date;
  readonly allLiveAt: Date | null;
  readonly firstLiveAt: Date | null;
  /** The release that undid it. */
  readonly undoneBy: number | null;
}

/** Whether a release is the target, and where it is live, in one sentence. */
export interface ReleaseStanding {
  readonly isTarget: boolean;
  readonly state: string;
  readonly isLive: boolean;
  readonly timeToAllLiveMs: number | null;
}

/** Gateways and target at one moment, from which any number of releases is judged. */
export function readReleaseStandings(db: Reader, nowMs: number): Promise<Standings> {
  return readStandings(db, nowMs);
}

export function releaseStanding(release: ReleaseFacts, standings: Standings, nowMs: number): ReleaseStanding {
  const isTarget = standings.target?.number === release.number;
  const timeToAllLiveMs = release.allLiveAt === null ? null : release.allLiveAt.getTime() - release.createdAt.getTime();
  if (isTarget) {
    const state = targetSentence(standings, nowMs);
    return { isTarget, state, isLive: isAllLive(standings.gateways), timeToAllLiveMs };
  }
  return {
    isTarget,
    state: pastSentence(release, timeToAllLiveMs),
    isLive: release.allLiveAt !== null,
    timeToAllLiveMs,
  };
}

/** *Stage 1 of 2. Live on 1 of 3: 2 wait for their stage.* */
function targetSentence({ rollout, gateways }: Standings, nowMs: number): string {
  const live = liveSentence(gateways, nowMs);
  if (rollout === null) return live;
  const where = `tage ${rollout.stage} of ${stageCount(rollout)}`;
  return rollout.state === 'halted' ? `Halted at s${where}. ${live}` : `S${where}. ${live}`;
}

function pastSentence({ number, firstLiveAt, undoneBy }: ReleaseFacts, timeToAllLiveMs: number | null): string {
  const replaced = undoneBy === null ? `Replaced by r${number + 1}` : `Undone by r${undoneBy}`;
  if (timeToAllLiveMs !== null)
    return `${replaced}; it was live ${shortWords(timeToAllLiveMs)} after it was published.`;
  return firstLiveAt === null
    ? `${replaced} before any gateway had it live.`
    : `${replaced} before every gateway had it live.`;
}

/** `1.1 s` below ten seconds, then as everywhere. */
export function shortWords(ms: number): string {
  return ms < 10_000 ? `${(ms / 1_000).toFixed(1)} s` : durationWords(ms);
}
