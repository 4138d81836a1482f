import 'server-only';
import { z } from 'zod';
import type { Tx } from '#server/db/client.ts';
import { StoredPart, type StoredSeries, sumByKey } from './stored-series.ts';

const StoredRow = StoredPart.extend({
  scope: z.enum(['tenant', 'type']),
  name: z.string(),
  widthSeconds: z.int(),
  gateway: z.string(),
  sumUs: z.number(),
  writes: z.int().nullable(),
}).transform(({ atMs, ...row }): StoredSeries => ({ ...row, bucketMs: atMs }));

/** Rows written by one statement: enough to be quick, few enough for one message. */
const BATCH = 2_000;

/**
 * Adds series to the stored ones by merging their histograms. The caller holds the gateway's lock and `rows` have
 * distinct keys, so what is read here is still true when it is written.
 */
export async function addSeries(tx: Tx, rows: readonly StoredSeries[]): Promise<void> {
  for (let from = 0; from < rows.length; from += BATCH) await addBatch(tx, rows.slice(from, from + BATCH));
}

async function addBatch(tx: Tx, rows: readonly StoredSeries[]): Promise<void> {
  const keys = JSON.stringify(rows.map(({ histogram: _, ...row }) => row));
  const stored = await tx.$queryRaw<unknown[]>`
    SELECT b.scope, b.name, b.width_seconds AS "widthSeconds", b.gateway, b.operation, b.outcome, b.histogram, b.count,
           (extract(epoch FROM b.bucket_at) * 1000)::float8 AS "atMs", b.max_us AS "maxUs", b.sum_us AS "sumUs", b.ru, b.writes,
           b.cache_hits AS "cacheHits", b.cache_misses AS "cacheMisses"
    FROM jsonb_to_recordset(${keys}::jsonb)
      AS k(scope text, name text, "widthSeconds" int, "bucketMs" float8, gateway text, operation text, outcome text)
    JOIN latency_bucket b ON b.scope = k.scope AND b.name = k.name AND b.width_seconds = k."widthSeconds"
      AND b.bucket_at = to_timestamp(k."bucketMs" / 1000.0) AND b.gateway = k.gateway
      AND b.operation = k.operation AND b.outcome = k.outcome`;
  const sums = sumByKey([...rows, ...z.array(StoredRow).parse(stored)]);
  await tx.$executeRaw`
    INSERT INTO latency_bucket (scope, name, width_seconds, bucket_at, gateway, operation, outcome,
                                histogram, count, max_us, sum_us, ru, writes, cache_hits, cache_misses)
    SELECT scope, name, "widthSeconds", to_timestamp("bucketMs" / 1000.0), gateway, operation, outcome,
           histogram, count, "maxUs", "sumUs", ru, writes, "cacheHits", "cacheMisses"
    FROM jsonb_to_recordset(${JSON.stringify(sums)}::jsonb)
      AS s(scope text, name text, "widthSeconds" int, "bucketMs" float8, gateway text, operation text, outcome text,
           histogram jsonb, count int, "maxUs" int, "sumUs" float8, ru float8, writes int, "cacheHits" int, "cacheMisses" int)
    ON CONFLICT (scope, name, width_seconds, bucket_at, gateway, operation, outcome)
    DO UPDATE SET histogram = EXCLUDED.histogram, count = EXCLUDED.count, max_us = EXCLUDED.max_us,
                  sum_us = EXCLUDED.sum_us, ru = EXCLUDED.ru, writes = EXCLUDED.writes,
                  cache_hits = EXCLUDED.cache_hits, cache_misses = EXCLUDED.cache_misses`;
}
