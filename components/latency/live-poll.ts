import type { TimeRangeValue } from '#components/ui/range-value.ts';
import { BUCKET_MS } from '#gateway/contract/telemetry.ts';

/** Gateways ship every 5 s, so the last bucket is whole this long after its end. */
const SHIPPED_MS = 6_000;
/** Pages that look at the same time do not ask at the same moment. */
const JITTER_MS = 2_000;

/**
 * How long to wait until the next bucket has ended and arrived. `share` from 0 to 1 places a page inside the jitter.
 * Long ranges have long buckets: they ask less often.
 */
export function nextPollMs(nowMs: number, bucketMs: number, share: number): number {
  const step = Math.min(60_000, Math.max(BUCKET_MS, bucketMs));
  const intoBucket = (nowMs - SHIPPED_MS) % step;
  return step - intoBucket + Math.round(share * JITTER_MS);
}

/** Whether news of a shipment is worth a question at once: only where a bucket is as short as a shipment. */
export const followsShipments = (time: TimeRangeValue): boolean =>
  time.kind === 'relative' && (time.range === '15m' || time.range === '1h');
