import 'server-only';
import { z } from 'zod';
import { canSeeAllTraffic } from '#server/auth/rights.ts';
import type { Ctx } from '#server/context.ts';
import { type Received, ReceivedQuery } from '#server/contract/definitions.ts';
import { ServerError } from '#server/contract/server-error.ts';
import { visibleTenants } from './traffic-of.ts';

/** Query and path of GET /api/definitions/{kind}/{name}/received. */
export const ReceivedInput = ReceivedQuery.extend({
  kind: z.enum(['objectType', 'edgeType']),
  name: z.string().max(48),
});

/**
 * The newest kept request for a type at or after `sinceMs` that is as asked, among tenants whose traffic the asker may see; null when
 * there is none yet. Refuses with `not_permitted` when the asker sees no tenant's traffic at all.
 */
export async function received(
  ctx: Ctx,
  { kind, name, sinceMs, ...like }: z.infer<typeof ReceivedInput>,
): Promise<z.infer<typeof Received>> {
  const { tenants } = await visibleTenants(ctx.db, ctx.actor);
  if (tenants.length === 0 && !canSeeAllTraffic(ctx.actor)) {
    throw new ServerError('not_permitted', {
      publicMessage: 'Requests are for the team of their tenant and for operators, security, auditors and admins.',
    });
  }
  const row = await ctx.db.requestRecord.findFirst({
    where: {
      ...(kind === 'objectType' ? { type: name } : { edgeType: name }),
      at: { gte: new Date(sinceMs) },
      AND: [
        canSeeAllTraffic(ctx.actor) ? {} : { tenant: { in: tenants.map((one) => one.name) } },
        like.tenant === undefined ? {} : { tenant: like.tenant },
        like.operation === undefined ? {} : { operation: like.operation },
        like.objectId === undefined ? {} : { objectId: like.objectId },
      ],
    },
    orderBy: [{ at: 'desc' }, { id: 'desc' }],
  });
  if (row === null) return { request: null };
  const { id, at, status, code, message, release, ru, operation } = row;
  return { request: { id, atMs: at.getTime(), status, code, message, release, ru, operation } };
}
