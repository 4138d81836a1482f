import type { Outcome } from '#gateway/contract/errors.ts';
import { bucketOf } from '#gateway/contract/histogram.ts';
import { BUCKET_MS, type Operation, type TelemetryShipment } from '#gateway/contract/telemetry.ts';
import type { Finished } from '#gateway/pipeline/record.ts';

/** What was counted, in the shape that travels. */
export type SeriesBatch = Pick<TelemetryShipment, 'tenants' | 'types' | 'principals'>;

/**
 * Counts of finished requests by tenant, by type and by principal. A worker adds requests; the process absorbs what its
 * workers counted. Draining empties it.
 */
export interface Series {
  add(finished: Finished): void;
  absorb(batch: SeriesBatch): void;
  isEmpty(): boolean;
  /** Drops what is older; how many requests that was. Bounds the memory while the console is away. */
  dropBefore(bucketMs: number): number;
  drain(): SeriesBatch;
}

interface Sum {
  readonly bucketMs: number;
  readonly name: string;
  readonly operation: Operation;
  readonly outcome: Outcome;
  readonly counts: Map<number, number>;
  count: number;
  maxUs: number;
  sumUs: number;
  ru: number;
  writes: number;
  cacheHits: number;
  cacheMisses: number;
}

type Use = { -readonly [K in keyof SeriesBatch['principals'][number]]: SeriesBatch['principals'][number][K] };

const BUSIEST = 50;

export function createSeries(): Series {
  const tenants = new Map<string, Sum>();
  const types = new Map<string, Sum>();
  const uses = new Map<string, Use>();
  return {
    add: (finished) => {
      const { record, tenant, type, otherTypes, writes } = finished;
      if (record.operation === null) return;
      const bucketMs = Math.floor(record.atMs / BUCKET_MS) * BUCKET_MS;
      const key = { bucketMs, operation: record.operation, outcome: record.outcome };
      addOne(sumOf(tenants, { ...key, name: tenant }), record);
      if (type === null) return;
      addOne(sumOf(types, { ...key, name: type }), record);
      for (const [written, times] of writes) sumOf(types, { ...key, name: written }).writes += times;
      if (record.principal === null) return;
      const { principal, ru } = record;
      addUse(uses, { bucketMs, tenant, principal, type, requests: 1, ru });
      for (const other of otherTypes) addUse(uses, { bucketMs, tenant, principal, type: other, requests: 1, ru: 0 });
    },
    absorb: (batch) => {
      for (const { tenant, ...one } of batch.tenants) addAll(sumOf(tenants, { ...one, name: tenant }), one);
      for (const { type, ...one } of batch.types) {
        const sum = sumOf(types, { ...one, name: type });
        addAll(sum, one);
        sum.writes += one.writes ?? 0;
      }
      for (const use of batch.principals) addUse(uses, use);
    },
    isEmpty: () => tenants.size === 0,
    dropBefore: (bucketMs) => {
      let dropped = 0;
      for (const [key, sum] of tenants) if (sum.bucketMs < bucketMs && tenants.delete(key)) dropped += sum.count;
      for (const [key, sum] of types) if (sum.bucketMs < bucketMs) types.delete(key);
      for (const [key, use] of uses) if (use.bucketMs < bucketMs) uses.delete(key);
      return dropped;
    },
    drain: () => {
      const batch = {
        tenants: [...tenants.values()].map(({ name, writes: _, ...sum }) => ({ tenant: name, ...seriesOf(sum) })),
        types: [...types.values()].map(({ name, writes, ...sum }) => ({ type: name, writes, ...seriesOf(sum) })),
        principals: busiest([...uses.values()]),
      };
      for (const map of [tenants, types, uses]) map.clear();
      return batch;
    },
  };
}

type SumKey = Pick<Sum, 'bucketMs' | 'name' | 'operation' | 'outcome'>;

function sumOf(sums: Map<string, Sum>, { bucketMs, name, operation, outcome }: SumKey): Sum {
  const key = `${bucketMs}|${name}|${operation}|${outcome}`;
  const found = sums.get(key);
  if (found !== undefined) return found;
  const nothing = { count: 0, maxUs: 0, sumUs: 0, ru: 0, writes: 0, cacheHits: 0, cacheMisses: 0 };
  const sum: Sum = { bucketMs, name, operation, outcome, counts: new Map(), ...nothing };
  sums.set(key, sum);
  return sum;
}

function addOne(sum: Sum, { durationUs, ru, cache }: Finished['record']): void {
  const bucket = bucketOf(durationUs);
  sum.counts.set(bucket, (sum.counts.get(bucket) ?? 0) + 1);
  sum.count += 1;
  sum.maxUs = Math.max(sum.maxUs, durationUs);
  sum.sumUs += durationUs;
  sum.ru += ru;
  sum.cacheHits += Number(cache === 'hit');
  sum.cacheMisses += Number(cache === 'miss');
}

type Counted = Pick<
  SeriesBatch['tenants'][number],
  'histogram' | 'count' | 'maxUs' | 'sumUs' | 'ru' | 'cacheHits' | 'cacheMisses'
>;

function addAll(sum: Sum, one: Counted): void {
  for (const [bucket, count] of one.histogram) sum.counts.set(bucket, (sum.counts.get(bucket) ?? 0) + count);
  sum.count += one.count;
  sum.maxUs = Math.max(sum.maxUs, one.maxUs);
  sum.sumUs += one.sumUs;
  sum.ru += one.ru;
  sum.cacheHits += one.cacheHits;
  sum.cacheMisses += one.cacheMisses;
}

function addUse(uses: Map<string, Use>, use: Readonly<Use>): void {
  const key = `${use.bucketMs}|${use.tenant}|${use.principal}|${use.type}`;
  const found = uses.get(key);
  if (found === undefined) uses.set(key, { ...use });
  else {
    found.requests += use.requests;
    found.ru += use.ru;
  }
}

function seriesOf({ counts, ...rest }: Omit<Sum, 'name' | 'writes'>) {
  return { ...rest, histogram: [...counts].sort(([a], [b]) => a - b) };
}

/** Per bucket and tenant the busiest principals keep their names; the rest count as `other`. */
function busiest(uses: readonly Use[]): Use[] {
  const totals = new Map<string, Map<string, number>>();
  for (const { bucketMs, tenant, principal, requests } of uses) {
    const byPrincipal = totals.get(`${bucketMs}|${tenant}`) ?? new Map<string, number>();
    totals.set(`${bucketMs}|${tenant}`, byPrincipal.set(principal, (byPrincipal.get(principal) ?? 0) + requests));
  }
  const named = new Map<string, ReadonlySet<string>>();
  for (const [key, byPrincipal] of totals) {
    const top = [...byPrincipal].sort(([, a], [, b]) => b - a).slice(0, BUSIEST);
    named.set(key, new Set(top.map(([principal]) => principal)));
  }
  const merged = new Map<string, Use>();
  for (const use of uses) {
    const isNamed = named.get(`${use.bucketMs}|${use.tenant}`)?.has(use.principal) === true;
    addUse(merged, isNamed ? use : { ...use, principal: 'other' });
  }
  return [...merged.values()];
}
