import 'server-only';
import type { z } from 'zod';
import { canSeeAllTraffic } from '#server/auth/rights.ts';
import type { Ctx } from '#server/context.ts';
import type { RequestPage, RequestQuery } from '#server/contract/requests.ts';
import type { RequestWhere } from '#server/db/rows.ts';
import { pageOf, readCursor, type TimeCursor } from '#server/db/time-cursor.ts';
import { withNamedKeys } from './named-keys.ts';
import { recordOf } from './request-rows.ts';
import { requireTraffic, visibleTenants } from './traffic-of.ts';

/** Counting stops here; the page then says *more than 10,000*. */
const COUNTED = 10_000;

/**
 * GET /api/requests: kept requests of the tenants whose traffic the asker may see, newest first. Requests that no
 * tenant can be charged with are listed for those who see all traffic. Refuses with `not_found` and `not_permitted` for
 * a tenant named in the query, `invalid_input` for a foreign cursor.
 */
export async function listRequests(
  ctx: Ctx,
  query: z.infer<typeof RequestQuery>,
): Promise<z.infer<typeof RequestPage>> {
  const cursor = readCursor(query.cursor);
  const where: RequestWhere = { AND: [await rightsOf(ctx, query.tenant), filterOf(query)] };
  const direction = cursor?.way === 'newer' ? 'asc' : 'desc';
  const rows = await ctx.db.requestRecord.findMany({
    where: cursor === null ? where : { AND: [where, beyond(cursor)] },
    orderBy: [{ at: direction }, { id: direction }],
    take: query.limit + 1,
  });
  const counted = await ctx.db.requestRecord.findMany({ where, select: { id: true }, take: COUNTED + 1 });
  const records = await withNamedKeys(ctx.db, rows.map(recordOf));
  return {
    ...pageOf(records, cursor, query.limit),
    total: counted.length > COUNTED ? null : counted.length,
  };
}

async function rightsOf(ctx: Ctx, tenant: string | undefined): Promise<RequestWhere> {
  if (tenant !== undefined) return { tenant: (await requireTraffic(ctx, tenant)).name };
  if (canSeeAllTraffic(ctx.actor)) return {};
  const { tenants } = await visibleTenants(ctx.db, ctx.actor);
  return { tenant: { in: tenants.map(({ name }) => name) } };
}

function filterOf(query: z.infer<typeof RequestQuery>): RequestWhere {
  const { type, fromMs, toMs, fromUs, toUs } = query;
  return {
    ...equals('outcome', query.outcome),
    ...equals('operation', query.operation),
    ...equals('gateway', query.gateway),
    ...(type === undefined ? {} : { OR: [{ type }, { edgeType: type }] }),
    ...equals('principal', query.principal),
    ...equals('code', query.code),
    ...equals('release', query.release),
    at: between(fromMs, toMs, (ms) => new Date(ms)),
    durationUs: between(fromUs, toUs, (us) => us),
  };
}

function equals<Name extends string, Value>(name: Name, value: Value | undefined) {
  return value === undefined ? {} : ({ [name]: value } as Record<Name, Value>);
}

/** At least `from`, less than `to`; a bound that is not given is none. */
function between<Value>(from: number | undefined, to: number | undefined, read: (value: number) => Value) {
  return { ...(from === undefined ? {} : { gte: read(from) }), ...(to === undefined ? {} : { lt: read(to) }) };
}

/** The bare bound on time lets the index start at the right place; the rest is exact. */
function beyond({ way, atMs, id }: TimeCursor): RequestWhere {
  const at = new Date(atMs);
  return way === 'older'
    ? { at: { lte: at }, OR: [{ at: { lt: at } }, { id: { lt: id } }] }
    : { at: { gte: at }, OR: [{ at: { gt: at } }, { id: { gt: id } }] };
}
