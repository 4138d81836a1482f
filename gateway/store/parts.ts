import type { ContentPort } from '#gateway/pipeline/store-port.ts';
import type { Account } from './account.ts';

/** What every operation of the store is built on. */
export interface StoreParts {
  readonly account: Account;
  readonly content: ContentPort;
  readonly now: () => number;
  /** 0 ≤ value < 1; jitter only. */
  readonly random: () => number;
  /** A new id of a write, never given twice. */
  readonly newUlid: () => string;
}
