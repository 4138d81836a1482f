import 'server-only';
import type { z } from 'zod';
import type { AuditShipment, AuditShipmentReply } from '#gateway/contract/audit.ts';
import { ServerError } from '#server/contract/server-error.ts';
import { type Database, withTransaction } from '#server/db/client.ts';
import { notify } from '#server/db/notify.ts';
import { countRefusals } from './count-refusals.ts';
import { auditDataOf } from './gateway-row.ts';

/** Who ships, when it arrived, and into what. */
export interface Receipt {
  readonly gateway: string;
  readonly db: Database;
  readonly nowMs: number;
}

/**
 * POST /api/gateway/audit: inserts a shipment exactly once. The stream's row is advanced in the same transaction and
 * only where it stands at `from`, so a repeat inserts nothing and a gap is left open. Answers where the stream stands.
 * Refuses (`invalid_input`) rows that are not numbered from `from` on.
 */
export async function takeAudit(
  receipt: Receipt,
  shipment: AuditShipment,
): Promise<z.infer<typeof AuditShipmentReply>> {
  const { stream, from, rows } = shipment;
  const misplaced = rows.findIndex((row, at) => row.seq !== from + at);
  if (misplaced >= 0) {
    throw new ServerError('invalid_input', {
      publicMessage: `Row ${misplaced} carries seq ${rows[misplaced]?.seq}; a shipment from ${from} has ${from + misplaced} there.`,
      fields: { [`rows.${misplaced}.seq`]: 'is out of order' },
    });
  }
  const at = new Date(receipt.nowMs);
  return withTransaction(receipt.db, async (tx) => {
    await tx.auditStream.createMany({
      data: [{ stream, gateway: receipt.gateway, nextSeq: 1, at }],
      skipDuplicates: true,
    });
    const nextSeq = from + rows.length;
    const advanced = await tx.auditStream.updateMany({
      where: { stream, nextSeq: from },
      // A gateway under a new name ships what lies on its disk.
      data: { nextSeq, gateway: receipt.gateway, at },
    });
    if (advanced.count === 0) {
      const { nextSeq: standsAt } = await tx.auditStream.findUniqueOrThrow({ where: { stream } });
      return { nextSeq: standsAt };
    }
    await tx.auditEvent.createMany({ data: rows.map((row) => auditDataOf(stream, row)) });
    await countRefusals(tx, shipment);
    await notify(tx, 'audit');
    return { nextSeq };
  });
}
