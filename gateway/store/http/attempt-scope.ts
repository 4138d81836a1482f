import { AsyncLocalStorage } from 'node:async_hooks';
import type { StoreMeter } from '#gateway/pipeline/store-port.ts';

/** What the http client notes of the request that runs in this scope; the SDK has no way to hand these through. */
export interface AttemptScope {
  readonly meter: StoreMeter;
  /** Aborts when the attempt's time is up. */
  readonly signal: AbortSignal;
  /** Turns true just before the first byte is written. */
  wasSent: boolean;
  /** The reply's session token, `<range>:<token>`; null until one came. */
  sessionToken: string | null;
}

export type AttemptScopes = AsyncLocalStorage<AttemptScope>;

export function createAttemptScopes(): AttemptScopes {
  return new AsyncLocalStorage<AttemptScope>();
}
