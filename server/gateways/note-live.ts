import 'server-only';
import type { ReleaseId } from '#gateway/contract/release.ts';
import { GONE_AFTER_MS } from '#server/contract/gateway-state.ts';
import type { Tx } from '#server/db/client.ts';

/**
 * Writes the times at which the first gateway and at which every gateway that has not left had a release live. Each is
 * written once and stays, whatever gateways come later.
 */
export async function noteLive(tx: Tx, release: ReleaseId, nowMs: number): Promise<void> {
  const at = new Date(nowMs);
  // Answers of two gateways at the same moment would each miss the other's, and nobody would say that all are live.
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext(${`live:${release.epoch}:${release.number}`}))`;
  const live = await tx.gatewayAck.findMany({ where: { ...release, state: 'live' }, select: { gateway: true } });
  if (live.length === 0) return;
  await tx.release.updateMany({ where: { ...release, firstLiveAt: null }, data: { firstLiveAt: at } });
  const names = live.map(({ gateway }) => gateway);
  const waiting = await tx.gateway.count({
    where: { leftAt: null, lastHeardAt: { gte: new Date(nowMs - GONE_AFTER_MS) }, name: { notIn: names } },
  });
  if (waiting > 0) return;
  await tx.release.updateMany({ where: { ...release, allLiveAt: null }, data: { allLiveAt: at } });
}
