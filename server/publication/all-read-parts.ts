import 'server-only';
import { compareVersions, GONE_AFTER_MS } from '#server/contract/gateway-state.ts';
import type { Reader } from '#server/db/client.ts';
import { PARTS_GATEWAY_VERSION } from './build-release.ts';

/** Whether every gateway that has not left reads sections in parts, so that a release may have them. */
export async function allReadParts(db: Reader, nowMs: number): Promise<boolean> {
  const rows = await db.gateway.findMany({
    where: { leftAt: null, lastHeardAt: { gte: new Date(nowMs - GONE_AFTER_MS) } },
    distinct: ['version'],
    select: { version: true },
  });
  return rows.every(({ version }) => compareVersions(version, PARTS_GATEWAY_VERSION) >= 0);
}
