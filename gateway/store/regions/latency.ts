/** How long the last replies of one region to one kind of read took. */
export interface Latency {
  note(us: number): void;
  /** 95th percentile in milliseconds of the last 512 replies; null below 100. */
  p95Ms(): number | null;
}

const KEPT = 512;
const MIN_SAMPLES = 100;
/** Sorting costs about 20 µs; once in so many replies it costs nothing. */
const SORT_EVERY = 64;
const QUANTILE = 0.95;

/**
 * The window slides by replies and not by time: a quiet worker keeps what it knows, and a region that turns slow moves
 * the percentile within a few hundred replies, so that hedging ends when all replies are slow.
 */
export function createLatency(): Latency {
  const ring = new Float64Array(KEPT);
  let noted = 0;
  let p95Ms: number | null = null;
  return {
    note(us) {
      ring[noted % KEPT] = us;
      noted += 1;
      if (noted < MIN_SAMPLES || (noted - MIN_SAMPLES) % SORT_EVERY !== 0) return;
      const sorted = ring.slice(0, Math.min(noted, KEPT)).sort();
      p95Ms = (sorted[Math.ceil(sorted.length * QUANTILE) - 1] ?? 0) / 1_000;
    },
    p95Ms: () => p95Ms,
  };
}
