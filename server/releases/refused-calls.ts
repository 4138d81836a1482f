import 'server-only';
import { z } from 'zod';
import { DecidedOperation } from '#gateway/contract/actions.ts';
import { ErrorCode } from '#gateway/contract/errors.ts';
import type { RefusedCall } from '#server/compile/denied-by.ts';
import type { Reader } from '#server/db/client.ts';
import { emptySql, type Sql, sql } from '#server/db/sql.ts';

/** A kind of call that was refused, and how. */
export interface KeptRefusal extends RefusedCall {
  readonly code: ErrorCode;
  readonly policy: string | null;
}

export interface RefusalSum {
  readonly requests: number;
  readonly firstMs: number;
  readonly lastMs: number;
  readonly requestId: string;
}

const nullable = z.string().transform((text) => (text === '' ? null : text));
const Calls = z.array(
  z.object({
    tenant: z.string(),
    principal: z.string(),
    operation: z.union([DecidedOperation, z.literal('edge.changeType')]),
    type: z.string(),
    edgeType: nullable,
    code: ErrorCode,
    policy: nullable,
  }),
);
const Sums = z.array(
  z.object({ at: z.int(), requests: z.number(), firstMs: z.number(), lastMs: z.number(), requestId: z.string() }),
);

/** Whose refusals are looked at: of everybody, or of these tenants. */
export type SeenTenants = readonly string[] | 'all';

/** Kinds of call refused under a release or a later one, those with the most requests first. */
export async function readRefusedCalls(
  db: Reader,
  of: { readonly release: number; readonly seen: SeenTenants; readonly most: number },
): Promise<readonly KeptRefusal[]> {
  return Calls.parse(
    await db.$queryRaw`
    SELECT tenant, principal, operation, type, edge_type AS "edgeType", code, policy
    FROM refusal_count WHERE release >= ${of.release} ${only(of.seen)}
    GROUP BY 1, 2, 3, 4, 5, 6, 7 ORDER BY sum(requests) DESC, 1, 2, 3, 4, 5, 6, 7 LIMIT ${of.most}`,
  );
}

/** Tenants with refusals that are not looked at. */
export async function countHiddenTenants(db: Reader, release: number, seen: SeenTenants): Promise<number> {
  if (seen === 'all') return 0;
  const rows = await db.refusalCount.groupBy({
    by: ['tenant'],
    where: { release: { gte: release }, tenant: { notIn: [...seen] } },
  });
  return rows.length;
}

/** Requests of each call from `release` on and before its own `until`; null where there were none. */
export async function sumRefusals(
  db: Reader,
  release: number,
  calls: readonly (KeptRefusal & { readonly until: number })[],
): Promise<readonly (RefusalSum | null)[]> {
  const wanted = calls.map((call, at) => ({ ...call, edgeType: call.edgeType ?? '', policy: call.policy ?? '', at }));
  const rows = Sums.parse(
    await db.$queryRaw`
    SELECT c.at, sum(r.requests)::float8 AS requests, (array_agg(r.request_id ORDER BY r.last_at DESC))[1] AS "requestId",
           (extract(epoch FROM min(r.first_at)) * 1000)::float8 AS "firstMs",
           (extract(epoch FROM max(r.last_at)) * 1000)::float8 AS "lastMs"
    FROM jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb)
      AS c(at int, tenant text, principal text, operation text, type text, "edgeType" text, code text, policy text, "until" int)
    JOIN refusal_count r ON r.release >= ${release} AND r.release < c."until" AND r.tenant = c.tenant
      AND r.principal = c.principal AND r.operation = c.operation AND r.type = c.type AND r.edge_type = c."edgeType"
      AND r.code = c.code AND r.policy = c.policy
    GROUP BY c.at`,
  );
  const found = new Map(rows.map(({ at, ...sum }) => [at, sum]));
  return calls.map((_, at) => found.get(at) ?? null);
}

function only(seen: SeenTenants): Sql {
  return seen === 'all' ? emptySql : sql`AND tenant = ANY(${[...seen]})`;
}
