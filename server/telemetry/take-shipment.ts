import 'server-only';
import type { RequestRecord, TelemetryShipment } from '#gateway/contract/telemetry.ts';
import { type Database, type Tx, withTransaction } from '#server/db/client.ts';
import { dbJson } from '#server/db/json.ts';
import { noteReport } from '#server/db/note-report.ts';
import { notify } from '#server/db/notify.ts';
import { addSeries } from './add-series.ts';
import { pruneWhenDue } from './prune-when-due.ts';
import { widen } from './stored-series.ts';

/** Who ships, when it arrived, and into what. */
export interface Receipt {
  readonly gateway: string;
  readonly db: Database;
  readonly nowMs: number;
}

const MINUTE_MS = 60_000;

/**
 * POST /api/gateway/telemetry: takes a shipment once. The three stored widths are merged in the same transaction, so a
 * chart of any span is complete the moment the shipment is taken. A repeated `(boot, seq)` inserts nothing. A skipped
 * `seq` is taken: what the gateway dropped is lost on its side, and refusing the rest would lose more.
 * Answers the next `seq` expected.
 */
export async function takeTelemetry(
  receipt: Receipt,
  shipment: TelemetryShipment,
): Promise<{ readonly nextSeq: number }> {
  const { gateway, nowMs } = receipt;
  await pruneWhenDue(receipt.db, nowMs);
  return withTransaction(receipt.db, async (tx) => {
    // One shipment of a gateway at a time: its rows are read, merged and written back.
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext(${`telemetry:${gateway}`}))`;
    const key = { gateway_boot: { gateway, boot: shipment.boot } };
    const last = (await tx.telemetryShipment.findUnique({ where: key }))?.lastSeq ?? 0;
    if (shipment.seq <= last) return { nextSeq: last + 1 };
    const mark = { lastSeq: shipment.seq, at: new Date(nowMs) };
    await tx.telemetryShipment.upsert({
      where: key,
      create: { gateway, boot: shipment.boot, ...mark },
      update: mark,
    });
    await addSeries(tx, widen(gateway, shipment, nowMs));
    await addUse(tx, gateway, shipment.principals);
    await keepRequests(tx, gateway, shipment.requests);
    const moments = [...shipment.tenants, ...shipment.types].map(({ bucketMs }) => bucketMs);
    await noteReport(tx, gateway, [nowMs, ...moments]);
    await notify(tx, 'telemetry');
    return { nextSeq: shipment.seq + 1 };
  });
}

/** Requests by principal and type, summed to the minute. */
async function addUse(tx: Tx, gateway: string, uses: TelemetryShipment['principals']): Promise<void> {
  if (uses.length === 0) return;
  const rows = uses.map((use) => ({ ...use, bucketMs: Math.floor(use.bucketMs / MINUTE_MS) * MINUTE_MS }));
  await tx.$executeRaw`
    INSERT INTO principal_use (bucket_at, gateway, tenant, principal, type, requests, ru)
    SELECT to_timestamp("bucketMs" / 1000.0), ${gateway}, tenant, principal, type, sum(requests)::int, sum(ru)
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      AS u("bucketMs" float8, tenant text, principal text, type text, requests int, ru float8)
    GROUP BY 1, 3, 4, 5
    ORDER BY 1, 3, 4, 5
    ON CONFLICT (bucket_at, gateway, tenant, principal, type)
    DO UPDATE SET requests = principal_use.requests + EXCLUDED.requests, ru = principal_use.ru + EXCLUDED.ru`;
}

async function keepRequests(tx: Tx, gateway: string, records: readonly RequestRecord[]): Promise<void> {
  if (records.length === 0) return;
  await tx.requestRecord.createMany({
    // The credential says who ships; a record cannot claim another gateway.
    data: records.map(({ atMs, ...record }) => ({
      ...record,
      gateway,
      at: new Date(atMs),
      quota: dbJson(record.quota),
    })),
    skipDuplicates: true,
  });
  await noteKeyUse(tx, records);
}

/** A key was used when a request with it was let in, whatever became of the request. */
async function noteKeyUse(tx: Tx, records: readonly RequestRecord[]): Promise<void> {
  const newest = new Map<string, number>();
  for (const { keyId, principal, atMs } of records) {
    if (keyId !== null && principal !== null) newest.set(keyId, Math.max(newest.get(keyId) ?? 0, atMs));
  }
  if (newest.size === 0) return;
  const rows = [...newest].map(([id, atMs]) => ({ id, atMs }));
  await tx.$executeRaw`
    UPDATE principal_key k SET last_used_at = u.at
    FROM (
      SELECT s.id, to_timestamp(s."atMs" / 1000.0) AS at
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS s(id text, "atMs" float8)
      JOIN principal_key p ON p.id = s.id
      -- Two gateways that saw the same keys lock them in one order.
      ORDER BY p.id FOR UPDATE OF p
    ) AS u
    WHERE k.id = u.id AND (k.last_used_at IS NULL OR k.last_used_at < u.at)`;
}
