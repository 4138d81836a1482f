import { z } from 'zod';

export const MIN_CACHE_TTL_MS = 1_000;
export const MAX_CACHE_TTL_MS = 3_600_000;

/**
 * Gateways keep what they read of the type. A read sees every write that went through its own gateway, and every write that
 * its session knows of; one that went through another gateway at most `ttlMs` late.
 */
export const Cache = z.strictObject({
  ttlMs: z
    .int('ttlMs is a whole number of milliseconds.')
    .min(MIN_CACHE_TTL_MS, 'A cache keeps for at least 1 second.')
    .max(MAX_CACHE_TTL_MS, 'A cache keeps for at most 1 hour.'),
});
