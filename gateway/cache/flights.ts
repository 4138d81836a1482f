import { type Denial, deny } from '#gateway/pipeline/denial.ts';
import type { Filled } from '#gateway/pipeline/freshness-port.ts';

/** A read that is under way, and whom its answer will be new enough for. */
export interface Flight<T> extends Filled {
  /** The partition's state before it. */
  readonly state: number;
  readonly landing: Promise<T>;
}

/** Waits for somebody else's read, but not past one's own deadline. */
export async function landed<T>(flight: Flight<T>, waitMs: number): Promise<T | Denial> {
  const { promise, resolve } = Promise.withResolvers<Denial>();
  const late = () => resolve(deny('deadline_exceeded', 'The deadline passed before the store answered.'));
  const timer = setTimeout(late, waitMs);
  try {
    return await Promise.race([flight.landing, promise]);
  } finally {
    clearTimeout(timer);
  }
}
