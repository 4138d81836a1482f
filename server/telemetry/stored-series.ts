import { z } from 'zod';
import { Outcome } from '#gateway/contract/errors.ts';
import { mergeHistograms } from '#gateway/contract/histogram.ts';
import { Operation, type SparseHistogram, type TelemetryShipment } from '#gateway/contract/telemetry.ts';
import { WRITING_OPERATIONS } from '#server/db/writing-operations.ts';
import { WIDTHS } from './widths.ts';

/** A row of latency_bucket. */
export interface StoredSeries {
  readonly scope: 'tenant' | 'type';
  readonly name: string;
  readonly widthSeconds: number;
  readonly bucketMs: number;
  readonly gateway: string;
  readonly operation: Operation;
  readonly outcome: Outcome;
  readonly histogram: SparseHistogram;
  readonly count: number;
  readonly maxUs: number;
  readonly sumUs: number;
  readonly ru: number;
  /** Operations that may have left more of the type; null where nobody counted them. */
  readonly writes: number | null;
  readonly cacheHits: number;
  readonly cacheMisses: number;
}

/**
 * A histogram as it comes out of a JSON column. Checked by hand: charts read hundreds of thousands of pairs, and a
 * schema per pair would cost more than the query.
 */
const StoredHistogram = z.custom<SparseHistogram>(
  (value) =>
    Array.isArray(value) &&
    value.every((pair) => Array.isArray(pair) && Number.isInteger(pair[0]) && Number.isInteger(pair[1])),
);

/** What a query on latency_bucket returns for one row, parsed. */
export const StoredPart = z.object({
  atMs: z.number(),
  operation: Operation,
  outcome: Outcome,
  histogram: StoredHistogram,
  count: z.int(),
  maxUs: z.int(),
  ru: z.number(),
  cacheHits: z.int(),
  cacheMisses: z.int(),
});

type Series = Omit<TelemetryShipment['types'][number], 'type'>;

/** A shipment's series at every stored width. Spans that a width no longer keeps are left out. */
export function widen(gateway: string, shipment: TelemetryShipment, nowMs: number): readonly StoredSeries[] {
  const rows: StoredSeries[] = [];
  const add = (scope: StoredSeries['scope'], name: string, series: Series) => {
    const { operation, outcome, histogram, count, maxUs, sumUs, ru, writes = null, cacheHits, cacheMisses } = series;
    for (const width of WIDTHS) {
      if (nowMs - series.bucketMs > width.keptMs) continue;
      const bucketMs = Math.floor(series.bucketMs / width.ms) * width.ms;
      const part = { operation, outcome, histogram, count, maxUs, sumUs, ru, writes, cacheHits, cacheMisses };
      rows.push({ scope, name, widthSeconds: width.seconds, bucketMs, gateway, ...part });
    }
  };
  for (const series of shipment.tenants) add('tenant', series.tenant, series);
  for (const series of shipment.types) add('type', series.type, series);
  return sumByKey(rows);
}

/** Rows with equal keys merged into one, in the order of their keys. */
export function sumByKey(rows: readonly StoredSeries[]): readonly StoredSeries[] {
  const sums = new Map<string, StoredSeries>();
  for (const row of rows) {
    const key = keyOf(row);
    const sum = sums.get(key);
    sums.set(key, sum === undefined ? row : addTwo(sum, row));
  }
  // One order for all writers, so that two of them cannot wait for one another.
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

function addTwo(a: StoredSeries, b: StoredSeries): StoredSeries {
  return {
    ...a,
    histogram: mergeHistograms([a.histogram, b.histogram]),
    count: a.count + b.count,
    maxUs: Math.max(a.maxUs, b.maxUs),
    sumUs: a.sumUs + b.sumUs,
    ru: a.ru + b.ru,
    writes: a.writes === null && b.writes === null ? null : writesOf(a) + writesOf(b),
    cacheHits: a.cacheHits + b.cacheHits,
    cacheMisses: a.cacheMisses + b.cacheMisses,
  };
}

function writesOf({ writes, operation, count }: StoredSeries): number {
  return writes ?? (WRITING_OPERATIONS.includes(operation) ? count : 0);
}

function keyOf(row: StoredSeries): string {
  const { scope, name, widthSeconds, bucketMs, gateway, operation, outcome } = row;
  return JSON.stringify([scope, name, widthSeconds, bucketMs, gateway, operation, outcome]);
}
