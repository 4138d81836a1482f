/** Token buckets of the logical partitions of one region. Charged with what a request really cost, so it may run into debt. */
export interface RuBudget {
  /** Milliseconds until the partition may be used again; 0 when it may be now. */
  waitMs(partition: string, limitPerSecond: number, nowMs: number): number;
  charge(partition: string, usedRu: number): void;
  /** Partitions that it remembers. */
  size(): number;
}

interface Bucket {
  availableRu: number;
  filledMs: number;
}

/** Above this many, those that are full again are forgotten: a new bucket is as full. */
const SWEEP_ABOVE = 4_096;

/** Holds at most one second of the limit. */
export function createRuBudget(): RuBudget {
  const buckets = new Map<string, Bucket>();
  let sweepAbove = SWEEP_ABOVE;

  function sweep(limitPerSecond: number, nowMs: number): void {
    for (const [partition, bucket] of buckets) {
      fill(bucket, limitPerSecond, nowMs);
      if (bucket.availableRu >= limitPerSecond) buckets.delete(partition);
    }
    sweepAbove = Math.max(SWEEP_ABOVE, buckets.size * 2);
  }

  return {
    waitMs(partition, limitPerSecond, nowMs) {
      const bucket = buckets.get(partition);
      if (bucket === undefined) {
        if (buckets.size >= sweepAbove) sweep(limitPerSecond, nowMs);
        buckets.set(partition, { availableRu: limitPerSecond, filledMs: nowMs });
        return 0;
      }
      fill(bucket, limitPerSecond, nowMs);
      if (bucket.availableRu > 0) return 0;
      return Math.floor((-bucket.availableRu / limitPerSecond) * 1_000) + 1;
    },
    charge(partition, usedRu) {
      const bucket = buckets.get(partition);
      if (bucket !== undefined) bucket.availableRu -= usedRu;
    },
    size: () => buckets.size,
  };
}

function fill(bucket: Bucket, limitPerSecond: number, nowMs: number): void {
  const elapsedMs = Math.max(0, nowMs - bucket.filledMs);
  bucket.availableRu = Math.min(limitPerSecond, bucket.availableRu + (elapsedMs * limitPerSecond) / 1_000);
  bucket.filledMs = nowMs;
}
