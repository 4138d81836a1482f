import type { Session } from '#gateway/client/session.ts';

/** `eventual`: from any region, possibly older. `session`: at least what its session saw. `critical`: the last write. */
export type Consistency = 'eventual' | 'session' | 'critical';

/** How one call is served. Each may be set for a client, for a view of it by `with`, and for a call. */
export interface CallOptions {
  /** From the start of the call to its end, retries and waiting included. 5,000 unless told. */
  readonly deadlineMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly consistency?: Consistency | undefined;
  /** Null carries none. */
  readonly session?: Session | null | undefined;
  /** W3C trace context of the span that makes the call, or where to get it. */
  readonly traceparent?: string | (() => string | undefined) | undefined;
}

export interface WriteOptions extends CallOptions {
  /**
   * Names the write, so that however often it is sent it happens once. A new UUID unless told. Null sends none: the write
   * costs less and is never sent again.
   */
  readonly idempotencyKey?: string | null | undefined;
}

export interface ResolvedOptions {
  readonly deadlineMs: number;
  readonly signal: AbortSignal | undefined;
  readonly consistency: Consistency | undefined;
  readonly session: Session | null;
  readonly traceparent: CallOptions['traceparent'];
}

/** The options of a call over those of its view. */
export function resolveOptions(defaults: ResolvedOptions, own: CallOptions): ResolvedOptions {
  return {
    deadlineMs: own.deadlineMs ?? defaults.deadlineMs,
    signal: own.signal ?? defaults.signal,
    consistency: own.consistency ?? defaults.consistency,
    session: own.session === undefined ? defaults.session : own.session,
    traceparent: own.traceparent ?? defaults.traceparent,
  };
}
