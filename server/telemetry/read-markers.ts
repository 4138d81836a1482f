import 'server-only';
import type { TenantLatency } from '#server/contract/latency.ts';
import type { Reader } from '#server/db/client.ts';

/** More than these in one window would hide the lines; the newest count. */
const MAX_MARKERS = 50;

/** Releases that were published, began or finished going live inside the span, oldest first. */
export async function readMarkers(
  db: Reader,
  span: { readonly fromMs: number; readonly toMs: number },
): Promise<TenantLatency['markers']> {
  const inside = { gte: new Date(span.fromMs), lt: new Date(span.toMs) };
  const releases = await db.release.findMany({
    where: { OR: [{ createdAt: inside }, { firstLiveAt: inside }, { allLiveAt: inside }] },
    select: { number: true, cause: true, rollback: true, createdAt: true, firstLiveAt: true, allLiveAt: true },
    orderBy: { number: 'desc' },
    take: MAX_MARKERS,
  });
  return releases.reverse().map(({ number, cause, rollback, createdAt, firstLiveAt, allLiveAt }) => ({
    release: number,
    cause,
    isRollback: rollback !== null,
    publishedMs: createdAt.getTime(),
    firstMs: firstLiveAt?.getTime() ?? null,
    allLiveMs: allLiveAt?.getTime() ?? null,
  }));
}
