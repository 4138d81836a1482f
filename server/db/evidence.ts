import 'server-only';
import { ACTION_OF, DecidedOperation } from '#gateway/contract/actions.ts';
import { Operation } from '#gateway/contract/telemetry.ts';
import type { KeptCalls, OperationCost, Span, Use } from '#server/compile/evidence.ts';
import type { Reader } from './client.ts';
import { WRITING_OPERATIONS } from './writing-operations.ts';

/** Whose use is looked for: of these types, or by these principals. */
export interface UseOf {
  readonly types: readonly string[];
  readonly principals: readonly string[];
}

/** Requests by tenant, principal and type at or after a moment. */
export function readUses(db: Reader, { types, principals }: UseOf, sinceMs: number): Promise<Use[]> {
  return db.$queryRaw<Use[]>`
    SELECT tenant, principal, type, sum(requests)::float8 AS requests,
           (extract(epoch FROM max(bucket_at)) * 1000)::float8 AS "lastUsedMs"
    FROM principal_use
    WHERE bucket_at >= ${new Date(sinceMs)} AND (type = ANY(${[...types]}) OR principal = ANY(${[...principals]}))
    GROUP BY tenant, principal, type ORDER BY 4 DESC, 1, 2, 3`;
}

/**
 * Kept requests that policy let in, and those that it refused, by principal, operation and type, each with the newest.
 * Other refusals (a quota, a bad request) say nothing of policy and are left out.
 */
export async function readKeptCalls(db: Reader, { types, principals }: UseOf, sinceMs: number): Promise<KeptCalls[]> {
  const rows = await db.$queryRaw<
    (Omit<KeptCalls, 'action' | 'newest'> & { readonly operation: string; readonly id: string })[]
  >`
    SELECT tenant, principal, operation, coalesce(edge_type, type) AS type, code IS NOT NULL AS "wasForbidden",
           count(*)::int AS count, (array_agg(id ORDER BY at DESC, id DESC))[1] AS id
    FROM request_record
    WHERE at >= ${new Date(sinceMs)} AND tenant IS NOT NULL AND principal IS NOT NULL
      AND operation = ANY(${DecidedOperation.options})
      AND (outcome IN ('served', 'notFound') OR code = 'forbidden')
      AND (type = ANY(${[...types]}) OR edge_type = ANY(${[...types]}) OR principal = ANY(${[...principals]}))
      AND coalesce(edge_type, type) IS NOT NULL
    GROUP BY tenant, principal, operation, coalesce(edge_type, type), (code IS NOT NULL)
    ORDER BY 1, 2, 3, 4, 5`;
  return rows.map(({ operation, id, ...row }) => {
    const of = DecidedOperation.parse(operation);
    return { ...row, action: ACTION_OF[of], newest: { id, operation: of } };
  });
}

/** What an operation cost, and what caches were asked for of it. */
export interface StoredCost extends OperationCost {
  readonly cacheHits: number;
  readonly cacheMisses: number;
}

/** Served requests and their RU by type and operation, and the moment of the first bucket. */
export async function readCosts(
  db: Reader,
  types: readonly string[],
  sinceMs: number,
): Promise<{ readonly costs: readonly StoredCost[]; readonly firstMs: number | null }> {
  const rows = await db.$queryRaw<(Omit<StoredCost, 'operation'> & { operation: string; firstMs: number })[]>`
    SELECT name AS type, operation, sum(count)::float8 AS requests, sum(ru) AS ru,
           sum(cache_hits)::float8 AS "cacheHits", sum(cache_misses)::float8 AS "cacheMisses",
           (extract(epoch FROM min(bucket_at)) * 1000)::float8 AS "firstMs"
    FROM latency_bucket
    WHERE scope = 'type' AND name = ANY(${[...types]}) AND width_seconds = 3600 AND bucket_at >= ${new Date(sinceMs)}
      AND outcome IN ('served', 'notFound')
    GROUP BY name, operation HAVING sum(count) > 0 ORDER BY 1, 2`;
  return {
    costs: rows.map(({ operation, firstMs: _, ...row }) => ({ ...row, operation: Operation.parse(operation) })),
    firstMs: rows.length === 0 ? null : Math.min(...rows.map(({ firstMs }) => firstMs)),
  };
}

/** What a tenant did in spans of ten seconds at or after a moment. */
export function readSpans(db: Reader, tenant: string, sinceMs: number): Promise<Span[]> {
  return db.$queryRaw<Span[]>`
    SELECT (extract(epoch FROM bucket_at) * 1000)::float8 AS "atMs", coalesce(sum(ru), 0) AS ru,
           coalesce(sum(count) FILTER (WHERE operation IN ('object.get', 'edge.get', 'edge.count', 'edge.list')), 0)::float8 AS reads,
           coalesce(sum(count) FILTER (WHERE operation NOT IN ('object.get', 'edge.get', 'edge.count', 'edge.list')), 0)::float8 AS writes
    FROM latency_bucket
    WHERE scope = 'tenant' AND name = ${tenant} AND width_seconds = 10 AND bucket_at >= ${new Date(sinceMs)}
      AND outcome IN ('served', 'notFound', 'failed')
    GROUP BY bucket_at ORDER BY bucket_at`;
}

/** The newest kept request of a tenant in the ten seconds from a moment on. */
export async function requestWithin(db: Reader, tenant: string, atMs: number): Promise<string | null> {
  const row = await db.requestRecord.findFirst({
    where: { tenant, at: { gte: new Date(atMs), lt: new Date(atMs + 10_000) } },
    orderBy: [{ at: 'desc' }, { id: 'desc' }],
    select: { id: true },
  });
  return row?.id ?? null;
}

/** The object that most kept writes of a type went to. */
export async function readBusiestObject(
  db: Reader,
  type: string,
): Promise<{ tenant: string; objectId: string; writes: number; requestId: string } | null> {
  const rows = await db.$queryRaw<{ tenant: string; objectId: string; writes: number; requestId: string }[]>`
    SELECT tenant, object_id AS "objectId", count(*)::int AS writes,
           (array_agg(id ORDER BY at DESC, id DESC))[1] AS "requestId"
    FROM request_record
    WHERE (type = ${type} AND operation IN ('object.put', 'object.create') OR edge_type = ${type} AND operation = 'edge.put')
      AND outcome = 'served' AND object_id IS NOT NULL AND tenant IS NOT NULL
    GROUP BY tenant, object_id ORDER BY 3 DESC, 2 LIMIT 1`;
  return rows[0] ?? null;
}

/**
 * Operations since then that may have left more of a type, those with an unknown outcome too; each one of a commit. Where
 * nobody counted them, a request that writes has one.
 */
export async function readWrites(db: Reader, type: string, sinceMs: number): Promise<number> {
  const [row] = await db.$queryRaw<{ writes: number }[]>`
    SELECT coalesce(sum(coalesce(writes, CASE WHEN operation = ANY(${[...WRITING_OPERATIONS]}) THEN count ELSE 0 END)), 0)::float8 AS writes
    FROM latency_bucket
    WHERE scope = 'type' AND name = ${type} AND width_seconds = 3600 AND bucket_at >= ${new Date(sinceMs)}
      AND outcome IN ('served', 'notFound', 'failed')`;
  return row?.writes ?? 0;
}
