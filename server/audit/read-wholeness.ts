import 'server-only';
import type { z } from 'zod';
import type { AuditPage } from '#server/contract/audit.ts';
import { GONE_AFTER_MS } from '#server/contract/gateway-state.ts';
import type { Reader } from '#server/db/client.ts';

type Wholeness = Pick<z.infer<typeof AuditPage>, 'wholeUpToMs' | 'unaudited'>;

/**
 * Up to when every row is here, and how many lie on gateways' spools. A gateway with an empty spool vouches for the time
 * of its last heartbeat, one with rows left for its last shipment; the one that vouches for least counts. What a silent
 * gateway holds is not known, so the log is whole only up to its last word.
 */
export async function readWholeness(db: Reader, nowMs: number): Promise<Wholeness> {
  const gateways = await db.gateway.findMany({
    where: { leftAt: null, lastHeardAt: { gte: new Date(nowMs - GONE_AFTER_MS) } },
    select: { name: true, lastHeardAt: true, startedAt: true, auditBacklog: true },
  });
  const behind = gateways.filter(({ auditBacklog }) => auditBacklog > 0).map(({ name }) => name);
  const shipped = await db.auditStream.groupBy({
    by: ['gateway'],
    where: { gateway: { in: behind } },
    _max: { at: true },
  });
  const lastShipped = new Map(shipped.map((row) => [row.gateway, row._max.at]));
  const vouchedMs = gateways.map(({ name, lastHeardAt, startedAt, auditBacklog }) =>
    (auditBacklog === 0 ? lastHeardAt : (lastShipped.get(name) ?? startedAt)).getTime(),
  );
  return {
    wholeUpToMs: Math.min(nowMs, ...vouchedMs),
    unaudited: gateways.reduce((sum, { auditBacklog }) => sum + auditBacklog, 0),
  };
}
