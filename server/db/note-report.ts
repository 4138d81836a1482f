import 'server-only';
import { BUCKET_MS } from '#gateway/contract/telemetry.ts';
import type { Tx } from './client.ts';

/** Marks that a gateway reported in the ten-second spans that hold these moments: there the charts have no gap. */
export async function noteReport(tx: Tx, gateway: string, momentsMs: readonly number[]): Promise<void> {
  const spans = new Set(momentsMs.map((atMs) => Math.floor(atMs / BUCKET_MS) * BUCKET_MS));
  const data = [...spans].map((atMs) => ({ gateway, bucketAt: new Date(atMs) }));
  await tx.gatewayReport.createMany({ data, skipDuplicates: true });
}
