import 'server-only';

/** Tokens for requests of one person: `burst` at once, `perSecond` steadily. */
export interface RateLimit {
  readonly burst: number;
  readonly perSecond: number;
}

/** Far above what a person does by hand, with live findings and charts; a runaway script meets it at once. */
export const PERSON_LIMIT: RateLimit = { burst: 400, perSecond: 40 };
/** A program's: a pipeline that applies a thousand files makes a dozen requests. */
export const TOKEN_LIMIT: RateLimit = { burst: 200, perSecond: 20 };
/** Requests of one address that carry no credential, or a wrong one. A page whose session ended asks for its parts once. */
export const STRANGER_LIMIT: RateLimit = { burst: 100, perSecond: 5 };

/**
 * Token buckets by name, in this process. `take` answers 0 when the request may pass, else the milliseconds to wait.
 * Holds at most `maxNames`; the one unused for longest makes room.
 */
export function createRateLimiter(limit: RateLimit, maxNames = 10_000): { take(name: string, nowMs: number): number } {
  const buckets = new Map<string, { tokens: number; atMs: number }>();
  return {
    take(name, nowMs) {
      const old = buckets.get(name) ?? { tokens: limit.burst, atMs: nowMs };
      const refilled = old.tokens + (Math.max(0, nowMs - old.atMs) / 1_000) * limit.perSecond;
      const tokens = Math.min(limit.burst, refilled);
      const isAllowed = tokens >= 1;
      buckets.delete(name);
      buckets.set(name, { tokens: isAllowed ? tokens - 1 : tokens, atMs: nowMs });
      if (buckets.size > maxNames) evictOldest(buckets);
      return isAllowed ? 0 : Math.ceil(((1 - tokens) / limit.perSecond) * 1_000);
    },
  };
}

/** A Map iterates in order of insertion, and `take` inserts anew each time. */
function evictOldest(buckets: Map<string, unknown>): void {
  const oldest = buckets.keys().next();
  if (!oldest.done) buckets.delete(oldest.value);
}
