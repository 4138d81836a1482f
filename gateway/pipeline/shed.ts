import { type Denial, deny } from './denial.ts';

const RETRY_AFTER_MS = 1_000;
/** With fewer requests in flight a late loop is the machine's doing: refusing them would relieve nobody. */
const MIN_BUSY = 64;

export interface LoadPort {
  enter(): void;
  leave(): void;
  /** Requests that this worker is working on now, this one included. */
  inFlight(): number;
  readonly maxInFlight: number;
  /** Whether the worker's event loop has been late for several measurements in a row. */
  isLate(): boolean;
}

/** Refuses with `overloaded` while this worker has more than it can answer in time. Costs no quota. */
export function shed(load: LoadPort): Denial | null {
  if (load.inFlight() > load.maxInFlight) {
    return deny('overloaded', `This gateway worker already serves ${load.maxInFlight} requests.`, {
      retryAfterMs: RETRY_AFTER_MS,
    });
  }
  if (load.inFlight() >= MIN_BUSY && load.isLate()) {
    return deny('overloaded', 'This gateway worker runs late.', { retryAfterMs: RETRY_AFTER_MS });
  }
  return null;
}
