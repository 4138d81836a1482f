import 'server-only';
import { REFUSALS_KEPT_DAYS } from '#server/contract/denials.ts';
import type { Database } from '#server/db/client.ts';
import { WIDTHS } from './widths.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** How long what is not a histogram is kept. */
const REQUESTS_KEPT_MS = 7 * DAY_MS;
const USE_KEPT_MS = 30 * DAY_MS;
const SHIPMENTS_KEPT_MS = 30 * DAY_MS;
/** A kind of refused call is told of a release until nobody made it for this long. */
const REFUSALS_KEPT_MS = REFUSALS_KEPT_DAYS * DAY_MS;
/** Rows one statement deletes: short enough that nothing waits for its locks. */
const BATCH = 5_000;

/**
 * Deletes telemetry that is older than it is kept: 10 s buckets after 24 h, minutes after 7 days, hours after 90 days; the
 * sums of refused calls too, which are told of releases.
 * Reports of gateways are thinned to what the remaining widths need: one a minute, then one an hour.
 */
export async function pruneTelemetry(db: Database, nowMs: number): Promise<void> {
  for (const { seconds, keptMs, ms } of WIDTHS) {
    // A bucket is gone only when a whole wider one beside it is past the age, so that no chart loses half a bucket.
    const before = new Date(nowMs - keptMs - ms);
    await inBatches(
      () => db.$executeRaw`
        DELETE FROM latency_bucket WHERE ctid = ANY(ARRAY(
          SELECT ctid FROM latency_bucket WHERE width_seconds = ${seconds} AND bucket_at < ${before} LIMIT ${BATCH}))`,
    );
  }
  await inBatches(
    () => db.$executeRaw`
      DELETE FROM request_record WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM request_record WHERE at < ${new Date(nowMs - REQUESTS_KEPT_MS)} LIMIT ${BATCH}))`,
  );
  await inBatches(
    () => db.$executeRaw`
      DELETE FROM principal_use WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM principal_use WHERE bucket_at < ${new Date(nowMs - USE_KEPT_MS)} LIMIT ${BATCH}))`,
  );
  // No index on the time: every refusal moves it, and rows are few against the refusals that they sum.
  await inBatches(
    () => db.$executeRaw`
      DELETE FROM refusal_count WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM refusal_count WHERE last_at < ${new Date(nowMs - REFUSALS_KEPT_MS)} LIMIT ${BATCH}))`,
  );
  await db.telemetryShipment.deleteMany({ where: { at: { lt: new Date(nowMs - SHIPMENTS_KEPT_MS) } } });
  await thinReports(db, nowMs);
}

/** Keeps the first report of each minute after a day, of each hour after a week, none after 90 days. */
async function thinReports(db: Database, nowMs: number): Promise<void> {
  await db.gatewayReport.deleteMany({ where: { bucketAt: { lt: new Date(nowMs - 90 * DAY_MS) } } });
  const spans = [
    { unit: 'minute', fromMs: nowMs - 7 * DAY_MS, toMs: nowMs - DAY_MS - HOUR_MS },
    { unit: 'hour', fromMs: nowMs - 90 * DAY_MS, toMs: nowMs - 7 * DAY_MS },
  ];
  for (const { unit, fromMs, toMs } of spans) {
    await db.$executeRaw`
      DELETE FROM gateway_report r USING (
        SELECT gateway, bucket_at, min(bucket_at) OVER (PARTITION BY gateway, date_trunc(${unit}, bucket_at)) AS first
        FROM gateway_report WHERE bucket_at >= ${new Date(fromMs)} AND bucket_at < ${new Date(toMs)}
      ) w
      WHERE r.gateway = w.gateway AND r.bucket_at = w.bucket_at AND w.bucket_at > w.first`;
  }
}

async function inBatches(deleteSome: () => Promise<number>): Promise<void> {
  while ((await deleteSome()) === BATCH);
}
