import 'server-only';
import { z } from 'zod';
import { canSeeTraffic } from '#server/auth/rights.ts';
import type { Actor, Ctx } from '#server/context.ts';
import { ServerError } from '#server/contract/server-error.ts';
import type { Reader } from '#server/db/client.ts';

/** A tenant as far as its charts need it. */
export interface ChartedTenant {
  readonly name: string;
  readonly ownerTeam: string;
  readonly targetP99Ms: number | null;
}

/** The rest of a tenant's document does not matter here, and an older one must not stop a chart. */
const Target = z.object({ targetP99Ms: z.int().optional() });

/** Tenants whose traffic the asker may see, by name, and how many others there are. */
export async function visibleTenants(
  db: Reader,
  actor: Actor,
): Promise<{ readonly tenants: readonly ChartedTenant[]; readonly hidden: number }> {
  const rows = await db.definition.findMany({
    where: { kind: 'tenant', removed: false },
    select: { name: true, ownerTeam: true, document: true },
    orderBy: { name: 'asc' },
  });
  const tenants = rows.filter((row) => canSeeTraffic(actor, row.ownerTeam)).map(chartedOf);
  return { tenants, hidden: rows.length - tenants.length };
}

/**
 * The tenant, when the asker may see its traffic. Refuses with `not_found`, and with `not_permitted` in words that say
 * who may. A removed tenant keeps its charts.
 */
export async function requireTraffic(ctx: Ctx, tenant: string): Promise<ChartedTenant> {
  const row = await ctx.db.definition.findUnique({
    where: { kind_name: { kind: 'tenant', name: tenant } },
    select: { name: true, ownerTeam: true, document: true },
  });
  if (row === null) throw new ServerError('not_found', { publicMessage: `There is no tenant ${tenant}.` });
  if (canSeeTraffic(ctx.actor, row.ownerTeam)) return chartedOf(row);
  throw new ServerError('not_permitted', {
    publicMessage: `Traffic of ${tenant} is for its team (${row.ownerTeam}) and for operators, security, auditors and admins. You can read its types.`,
  });
}

function chartedOf(row: { name: string; ownerTeam: string; document: unknown }): ChartedTenant {
  const target = Target.safeParse(row.document);
  return {
    name: row.name,
    ownerTeam: row.ownerTeam,
    targetP99Ms: target.success ? (target.data.targetP99Ms ?? null) : null,
  };
}
