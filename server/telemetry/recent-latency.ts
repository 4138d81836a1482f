import 'server-only';
import type { Ctx } from '#server/context.ts';
import { HOME_RANGE, type LatencyIndex, LatencyQuery } from '#server/contract/latency.ts';
import { latencyIndex } from './latency-index.ts';

/** The index of tenants over the last 15 minutes, for Home. */
export function recentLatency(ctx: Ctx): Promise<LatencyIndex> {
  return latencyIndex(ctx, LatencyQuery.parse({ range: HOME_RANGE }));
}
