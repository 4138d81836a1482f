export interface RetryBudget {
  /** A call began. */
  deposit(): void;
  /** Whether one more retry may be made; it is then spent. */
  spend(): boolean;
}

/** A quiet client may retry this often at once. */
const RESERVE = 10;
const PER_CALL = 0.1;

/**
 * Retries of a whole client are a tenth of its calls, and a small reserve: a service that fails meets a tenth more
 * requests, not four times as many.
 */
export function createRetryBudget(): RetryBudget {
  let tokens = RESERVE;
  return {
    deposit() {
      tokens = Math.min(RESERVE, tokens + PER_CALL);
    },
    spend() {
      if (tokens < 1) return false;
      tokens -= 1;
      return true;
    },
  };
}
