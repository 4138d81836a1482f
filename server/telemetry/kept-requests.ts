import 'server-only';
import { OUTCOMES, Outcome } from '#gateway/contract/errors.ts';
import { type Operation, RequestRecord } from '#gateway/contract/telemetry.ts';
import type { TenantLatency } from '#server/contract/latency.ts';
import type { Reader } from '#server/db/client.ts';
import type { RequestWhere } from '#server/db/rows.ts';
import { isWanted } from './series.ts';
import { bucketStart } from './window.ts';

export interface KeptScope {
  readonly tenant: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly operation: Operation | 'all';
  readonly gateway: string;
  readonly outcome: Outcome | 'all';
}

const MAX_DOTS = 500;
const MAX_SLOWEST = 10;
const Stages = RequestRecord.shape.stages;

/**
 * Kept requests of the buckets that hold too few for p99, newest first, at most 500. Where p99 is drawn there are none.
 */
export async function readDots(
  db: Reader,
  scope: KeptScope,
  drawn: { readonly points: TenantLatency['points']; readonly bucketMs: number },
): Promise<TenantLatency['dots']> {
  const thin = new Set(drawn.points.filter(isThin).map(({ atMs }) => atMs));
  const first = Math.min(...thin);
  if (thin.size === 0) return [];
  const rows = await db.requestRecord.findMany({
    where: { ...whereOf(scope), at: { gte: new Date(first), lt: new Date(scope.toMs) } },
    orderBy: [{ at: 'desc' }, { id: 'desc' }],
    // Some of these lie in buckets that do have p99 and are left out below.
    take: MAX_DOTS * 4,
    select: { id: true, at: true, durationUs: true, outcome: true },
  });
  return rows
    .filter(({ at }) => thin.has(bucketStart(at.getTime(), drawn.bucketMs)))
    .slice(0, MAX_DOTS)
    .map(({ id, at, durationUs, outcome }) => ({
      id,
      atMs: at.getTime(),
      us: durationUs,
      outcome: Outcome.parse(outcome),
    }));
}

/** The slowest kept requests of a span, slowest first. */
export async function readSlowest(db: Reader, scope: KeptScope): Promise<TenantLatency['slowest']> {
  const rows = await db.requestRecord.findMany({
    where: whereOf(scope),
    orderBy: [{ durationUs: 'desc' }, { id: 'asc' }],
    take: MAX_SLOWEST,
    select: { id: true, at: true, durationUs: true, operation: true, outcome: true, release: true, stages: true },
  });
  return rows.map(({ id, at, durationUs, operation, outcome, release, stages }) => ({
    id,
    atMs: at.getTime(),
    us: durationUs,
    operation,
    outcome: Outcome.parse(outcome),
    release,
    slowestStage: slowestOf(Stages.parse(stages)),
  }));
}

function isThin({ requests, p99Us }: TenantLatency['points'][number]): boolean {
  return requests > 0 && p99Us === null;
}

function whereOf({ tenant, fromMs, toMs, operation, gateway, outcome }: KeptScope): RequestWhere {
  return {
    tenant,
    at: { gte: new Date(fromMs), lt: new Date(toMs) },
    outcome: { in: OUTCOMES.filter((one) => isWanted(one, outcome)) },
    ...(operation === 'all' ? {} : { operation }),
    ...(gateway === 'all' ? {} : { gateway }),
  };
}

function slowestOf(stages: RequestRecord['stages']): string | null {
  const [slowest] = Object.entries(stages).sort(([, a], [, b]) => b - a);
  return slowest?.[0] ?? null;
}
