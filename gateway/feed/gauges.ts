import type { FeedWorker } from './worker.ts';

/** The worker over the change feed as metrics. */
export function feedGauges(worker: FeedWorker, usedRu: number): Readonly<Record<string, number>> {
  const ranges = worker.ranges();
  const entries = ranges.flatMap((range) => range.waiting);
  const waiting = entries.filter(({ summary }) => summary.kind !== 'drift');
  return {
    habitat_feed_ranges: ranges.length,
    habitat_feed_lag_seconds: Math.max(0, ...ranges.map(({ lagMs }) => lagMs ?? 0)) / 1_000,
    habitat_feed_waiting_entries: waiting.filter(({ parkedAtMs }) => parkedAtMs === null).length,
    habitat_feed_parked_entries: waiting.filter(({ parkedAtMs }) => parkedAtMs !== null).length,
    habitat_feed_drifted_objects: entries.length - waiting.length,
    habitat_feed_repaired: ranges.reduce((sum, { repaired }) => sum + repaired, 0),
    habitat_feed_request_units: Math.round(usedRu),
  };
}
