import 'server-only';
import type { Reader } from '#server/db/client.ts';
import type { Reports } from './points.ts';

/** When gateways (or one of them) reported inside a span, and when the first report ever came. */
export async function readReports(
  db: Reader,
  span: { readonly fromMs: number; readonly toMs: number },
  gateway: string,
): Promise<Reports> {
  const only = gateway === 'all' ? {} : { gateway };
  const rows = await db.gatewayReport.findMany({
    where: { ...only, bucketAt: { gte: new Date(span.fromMs), lt: new Date(span.toMs) } },
    distinct: ['bucketAt'],
    select: { bucketAt: true },
  });
  const first = await db.gatewayReport.findFirst({
    where: only,
    orderBy: { bucketAt: 'asc' },
    select: { bucketAt: true },
  });
  return {
    spans: new Set(rows.map(({ bucketAt }) => bucketAt.getTime())),
    firstMs: first?.bucketAt.getTime() ?? null,
  };
}
