import 'server-only';
import type { z } from 'zod';
import type { Prisma } from '#prisma/client/client.ts';
import { canSeeAllTraffic } from '#server/auth/rights.ts';
import type { Ctx } from '#server/context.ts';
import type { RequestPage, RequestQuery } from '#server/contract/requests.ts';
import { pageOf, readCursor, type TimeCursor } from '#server/db/time-cursor.ts';
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
  const where: Prisma.RequestRecordWhereInput = { AND: [await rightsOf(ctx, query.tenant), filterOf(query)] };
  const direction = cursor?.way === 'newer' ? 'asc' : 'desc';
  const rows = await ctx.db.requestRecord.findMany({
    where: cursor === null ? where : { AND: [where, beyond(cursor)] },
    orderBy: [{ at: direction }, { id: direction }],
    take: query.limit + 1,
  });
  const counted = await ctx.db.requestRecord.findMany({ where, select: { id: true }, take: COUNTED + 1 });
  return {
    ...pageOf(rows.map(recordOf), cursor, query.limit),
    total: counted.length > COUNTED ? null : counted.length,
  };
}

async function rightsOf(ctx: Ctx, tenant: string | undefined): Promise<Prisma.RequestRecordWhereInput> {
  if (tenant !== undefined) return { tenant: (await requireTraffic(ctx, tenant)).name };
  if (canSeeAllTraffic(ctx.actor)) return {};
  const { tenants } = await visibleTenants(ctx.db, ctx.actor);
  return { tenant: { in: tenants.map(({ name }) => name) } };
}

function filterOf(query: z.infer<typeof RequestQuery>): Prisma.RequestRecordWhereInput {
  const { outcome, type, principal, code, release, fromMs, toMs } = query;
  return {
    ...(outcome === undefined ? {} : { outcome }),
    ...(type === undefined ? {} : { OR: [{ type }, { edgeType: type }] }),
    ...(principal === undefined ? {} : { principal }),
    ...(code === undefined ? {} : { code }),
    ...(release === undefined ? {} : { release }),
    ...(fromMs === undefined && toMs === undefined
      ? {}
      : {
          at: {
            ...(fromMs === undefined ? {} : { gte: new Date(fromMs) }),
            ...(toMs === undefined ? {} : { lt: new Date(toMs) }),
          },
        }),
  };
}

/** The bare bound on time lets the index start at the right place; the rest is exact. */
function beyond({ way, atMs, id }: TimeCursor): Prisma.RequestRecordWhereInput {
  const at = new Date(atMs);
  return way === 'older'
    ? { at: { lte: at }, OR: [{ at: { lt: at } }, { id: { lt: id } }] }
    : { at: { gte: at }, OR: [{ at: { gt: at } }, { id: { gt: id } }] };
}
