import 'server-only';
import { countInWords } from '#server/compile/words.ts';
import type { Reader } from '#server/db/client.ts';

const DAY_MS = 86_400_000;

/** Requests of the last 24 h by principal, busiest first, in sentences: what somebody would feel. */
export async function cutsOf(
  db: Reader,
  of: { readonly principals: readonly string[] | null; readonly tenant: string | null; readonly nowMs: number },
): Promise<readonly string[]> {
  const use = await db.principalUse.groupBy({
    by: ['principal', 'tenant'],
    where: {
      bucketAt: { gte: new Date(of.nowMs - DAY_MS) },
      ...(of.principals === null ? {} : { principal: { in: [...of.principals] } }),
      ...(of.tenant === null ? {} : { tenant: of.tenant }),
    },
    _sum: { requests: true },
    orderBy: { _sum: { requests: 'desc' } },
    take: 5,
  });
  return use.map(
    ({ principal, tenant, _sum }) =>
      `${principal} sent ${countInWords(_sum.requests ?? 0)} requests in ${tenant} in 24 h.`,
  );
}
