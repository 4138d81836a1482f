import { type StoredRollout, stageCount } from '#server/db/rollout.ts';

/** *r42, stage 2 of 3*. */
export function rolloutWords(rollout: Pick<StoredRollout, 'releaseNumber' | 'stage' | 'stages'>): string {
  return `r${rollout.releaseNumber}, stage ${rollout.stage} of ${stageCount(rollout)}`;
}
