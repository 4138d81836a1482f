import type { Outcome } from '#gateway/contract/errors.ts';
import { mergeHistograms } from '#gateway/contract/histogram.ts';
import type { Operation, SparseHistogram } from '#gateway/contract/telemetry.ts';

/** One stored histogram as read for a chart. */
export interface Series {
  readonly atMs: number;
  readonly operation: Operation;
  readonly outcome: Outcome;
  readonly histogram: SparseHistogram;
  readonly count: number;
  readonly maxUs: number;
  readonly ru: number;
  readonly cacheHits: number;
  readonly cacheMisses: number;
}

/** A sum of series. */
export interface Merged {
  readonly histogram: SparseHistogram;
  readonly count: number;
  readonly maxUs: number;
  readonly ru: number;
  /** Share of what caches were asked for that they had; null when they were not asked. */
  readonly cached: number | null;
}

/** The sum of series; percentiles are computed from nothing else. */
export function mergeSeries(all: readonly Omit<Series, 'atMs' | 'operation' | 'outcome'>[]): Merged {
  return {
    histogram: mergeHistograms(all.map(({ histogram }) => histogram)),
    count: all.reduce((sum, { count }) => sum + count, 0),
    maxUs: all.reduce((most, { maxUs }) => Math.max(most, maxUs), 0),
    ru: all.reduce((sum, { ru }) => sum + ru, 0),
    cached: cachedShare(all),
  };
}

/** Share of what caches were asked for that they had; null when they were not asked. */
function cachedShare(all: readonly Pick<Series, 'cacheHits' | 'cacheMisses'>[]): number | null {
  const hits = all.reduce((sum, { cacheHits }) => sum + cacheHits, 0);
  const asked = all.reduce((sum, { cacheMisses }) => sum + cacheMisses, hits);
  return asked === 0 ? null : hits / asked;
}

/** Whether a series belongs to what a chart of `wanted` shows. A miss was served too: it got its true answer. */
export function isWanted(outcome: Outcome, wanted: Outcome | 'all'): boolean {
  if (wanted === 'all') return true;
  return wanted === 'served' ? outcome === 'served' || outcome === 'notFound' : outcome === wanted;
}

/** Groups values by a key, in order of first appearance. */
export function groupBy<K, V>(values: readonly V[], keyOf: (value: V) => K): ReadonlyMap<K, readonly V[]> {
  const groups = new Map<K, V[]>();
  for (const value of values) {
    const group = groups.get(keyOf(value));
    if (group === undefined) groups.set(keyOf(value), [value]);
    else group.push(value);
  }
  return groups;
}
