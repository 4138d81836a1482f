import 'server-only';
import type { ReleaseRow } from '#server/contract/releases.ts';
import { RollbackOf } from '#server/contract/rollouts.ts';
import type { Standings } from '#server/db/gateway-standing.ts';
import { type ReleaseFacts, releaseStanding } from '#server/publication/release-standing.ts';

/** What a row of the list is made of; the signed header is read for one release only. */
export const releaseColumns = {
  number: true,
  createdAt: true,
  byId: true,
  byName: true,
  approvedById: true,
  approvedByName: true,
  selfApproved: true,
  cause: true,
  reason: true,
  changeNumber: true,
  emergency: true,
  firstLiveAt: true,
  allLiveAt: true,
  rollback: true,
  undoneBy: true,
} as const;

export interface ReleaseColumns extends ReleaseFacts {
  readonly byId: string;
  readonly byName: string;
  readonly approvedById: string | null;
  readonly approvedByName: string | null;
  readonly selfApproved: boolean;
  readonly cause: string;
  readonly reason: string;
  readonly changeNumber: number | null;
  readonly emergency: boolean;
  readonly rollback: unknown;
}

/** A release as a row of a list. */
export function rowOf(release: ReleaseColumns, standings: Standings, nowMs: number): ReleaseRow {
  const { isTarget, state, timeToAllLiveMs } = releaseStanding(release, standings, nowMs);
  return {
    number: release.number,
    atMs: release.createdAt.getTime(),
    by: { id: release.byId, name: release.byName },
    approvedBy: release.approvedById === null ? null : { id: release.approvedById, name: release.approvedByName ?? '' },
    selfApproved: release.selfApproved,
    cause: release.cause,
    change: release.changeNumber,
    emergency: release.emergency,
    rollback: release.rollback === null ? null : RollbackOf.parse(release.rollback),
    undoneBy: release.undoneBy,
    isTarget,
    state,
    timeToAllLiveMs,
  };
}
