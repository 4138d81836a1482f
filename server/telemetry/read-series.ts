import 'server-only';
import { z } from 'zod';
import { OUTCOMES, type Outcome } from '#gateway/contract/errors.ts';
import type { Operation } from '#gateway/contract/telemetry.ts';
import type { Reader } from '#server/db/client.ts';
import { isWanted, type Series } from './series.ts';
import { StoredPart } from './stored-series.ts';
import type { Width } from './widths.ts';

/** A stored series with the tenant or type that it belongs to. */
export interface NamedSeries extends Series {
  readonly name: string;
}

export interface SeriesRequest {
  readonly scope: 'tenant' | 'type';
  readonly names: readonly string[];
  readonly fromMs: number;
  readonly toMs: number;
  readonly width: Width;
  readonly operation: Operation | 'all';
  readonly gateway: string;
  /** Histograms are read for these outcomes only; the others are counted. */
  readonly outcome: Outcome | 'all';
}

const Rows = z.array(StoredPart.extend({ name: z.string() }));

/** Stored series whose bucket begins inside the span, at one width. */
export async function readSeries(db: Reader, request: SeriesRequest): Promise<readonly NamedSeries[]> {
  const wanted = OUTCOMES.filter((outcome) => isWanted(outcome, request.outcome));
  const { operation, gateway } = request;
  const rows = await db.$queryRaw<unknown[]>`
    SELECT name, (extract(epoch FROM bucket_at) * 1000)::float8 AS "atMs", operation, outcome,
           CASE WHEN outcome = ANY(${wanted}) THEN histogram ELSE '[]'::jsonb END AS histogram,
           count, max_us AS "maxUs", ru, cache_hits AS "cacheHits", cache_misses AS "cacheMisses"
    FROM latency_bucket
    WHERE scope = ${request.scope} AND name = ANY(${[...request.names]}) AND width_seconds = ${request.width.seconds}
      AND bucket_at >= ${new Date(request.fromMs)} AND bucket_at < ${new Date(request.toMs)}
      AND (${operation} = 'all' OR operation = ${operation})
      AND (${gateway} = 'all' OR gateway = ${gateway})`;
  return Rows.parse(rows);
}
