import type { PointLane } from '#gateway/store/points/point-reads.ts';

/** Both ways in which point reads leave: what holds for one holds for the other. */
export const LANES: readonly PointLane[] = ['rest', 'sdk'];
