/**
 * An attempt that brought no readable reply. Its `code` is ours, so that the SDK, which retries ECONNRESET ten times a
 * second apart in the same region, leaves it alone.
 */
export class BrokenAttempt extends Error {
  readonly code = 'HABITAT_BROKEN_ATTEMPT';
  /** Whether a byte of the request may have reached the store. */
  readonly wasSent: boolean;

  constructor(message: string, wasSent: boolean, cause?: unknown) {
    super(message, { cause });
    this.name = 'BrokenAttempt';
    this.wasSent = wasSent;
  }
}
