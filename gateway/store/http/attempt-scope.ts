import { AsyncLocalStorage } from 'node:async_hooks';
import type { AttemptRecord } from '#gateway/contract/telemetry.ts';

/** What the wire tells of an attempt. */
export type WireAttempt = Pick<AttemptRecord, 'status' | 'subStatus' | 'ru' | 'us' | 'retryAfterMs'>;

/** What the http client notes of the request that runs in this scope; the SDK has no way to hand these through. */
export interface AttemptScope {
  readonly meter: { add(attempt: WireAttempt): void };
  /** Aborts when the attempt's time is up. */
  readonly signal: AbortSignal;
  /** Turns true when a connection was given: until then the attempt waits for this process, not for the store. */
  wasLent: boolean;
  /** Turns true just before the first byte is written. */
  wasSent: boolean;
  /** The reply's session token, `<range>:<token>`; null until one came. */
  sessionToken: string | null;
}

export type AttemptScopes = AsyncLocalStorage<AttemptScope>;

export function createAttemptScopes(): AttemptScopes {
  return new AsyncLocalStorage<AttemptScope>();
}
