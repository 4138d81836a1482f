import 'server-only';
import { z } from 'zod';
import { Outcome } from '#gateway/contract/errors.ts';
import { mergeHistograms, quantileOf } from '#gateway/contract/histogram.ts';
import { BUCKET_MS, SparseHistogram } from '#gateway/contract/telemetry.ts';
import type { Evidence } from '#server/contract/rollouts.ts';
import type { Reader } from '#server/db/client.ts';
import type { StandingGateway } from '#server/db/gateway-standing.ts';
import { isOffered, type StoredRollout } from '#server/db/rollout.ts';
import { judge, P99_NEEDS, type SideFacts } from './judge-evidence.ts';

/** No more than this much of the past is compared: what is wrong now shows in it, and it stays cheap to read. */
const LONGEST_MS = 30 * 60_000;

const Bucket = z.object({
  gateway: z.string(),
  outcome: Outcome,
  histogram: SparseHistogram,
  count: z.int(),
  maxUs: z.int(),
});
type Bucket = z.infer<typeof Bucket>;

/**
 * The gateways of the open stages against those that still serve the release before, over the whole ten-second spans since
 * the stage was live everywhere. Null before there is one span, or when nobody is left to compare with.
 */
export async function readEvidence(
  db: Reader,
  about: { readonly rollout: StoredRollout; readonly gateways: readonly StandingGateway[]; readonly nowMs: number },
): Promise<Evidence | null> {
  const { rollout, gateways, nowMs } = about;
  if (rollout.stageLiveAtMs === null) return null;
  const untilMs = Math.floor(nowMs / BUCKET_MS) * BUCKET_MS;
  const sinceMs = Math.max(Math.ceil(rollout.stageLiveAtMs / BUCKET_MS) * BUCKET_MS, untilMs - LONGEST_MS);
  const others = gateways.filter(({ name }) => !isOffered(rollout, name)).map(({ name }) => name);
  const stage = gateways.filter(({ name }) => isOffered(rollout, name)).map(({ name }) => name);
  if (untilMs <= sinceMs || others.length === 0) return null;
  const rows = await db.latencyBucket.findMany({
    where: {
      scope: 'tenant',
      widthSeconds: BUCKET_MS / 1_000,
      bucketAt: { gte: new Date(sinceMs), lt: new Date(untilMs) },
      gateway: { in: [...stage, ...others] },
    },
    select: { gateway: true, outcome: true, histogram: true, count: true, maxUs: true },
  });
  const buckets = rows.map((row) => Bucket.parse(row));
  const sides = { stage: sideOf(buckets, stage), others: sideOf(buckets, others) };
  return { sinceMs, untilMs, ...sides, ...judge({ ...sides, narrows: rollout.narrows }) };
}

function sideOf(buckets: readonly Bucket[], gateways: readonly string[]): SideFacts {
  const mine = buckets.filter(({ gateway }) => gateways.includes(gateway));
  const served = mine.filter(({ outcome }) => outcome === 'served');
  return {
    gateways: [...gateways],
    requests: total(mine),
    failed: total(mine.filter(({ outcome }) => outcome === 'failed' || outcome === 'overloaded')),
    refused: total(mine.filter(({ outcome }) => outcome === 'refused' || outcome === 'overQuota')),
    p99Ms: total(served) < P99_NEEDS ? null : p99Of(served),
  };
}

function p99Of(served: readonly Bucket[]): number | null {
  const maxUs = Math.max(...served.map((bucket) => bucket.maxUs));
  const us = quantileOf(mergeHistograms(served.map(({ histogram }) => histogram)), 0.99, maxUs);
  return us === null ? null : us / 1_000;
}

function total(buckets: readonly Bucket[]): number {
  return buckets.reduce((sum, { count }) => sum + count, 0);
}
