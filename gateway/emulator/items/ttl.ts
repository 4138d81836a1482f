import { badRequest } from '#gateway/emulator/errors.ts';
import type { Json } from '#gateway/emulator/json.ts';

/**
 * When an item written now expires, in epoch seconds; null for never. An item's own `ttl` counts only in a container
 * whose time to live is on (`defaultTtl` present; -1 means on without a default).
 */
export function expiryOf(defaultTtl: number | undefined, ttl: Json | undefined, nowSeconds: number): number | null {
  if (ttl !== undefined && ttl !== null && !isTtl(ttl)) {
    throw badRequest("The value of 'ttl' is a positive integer of seconds, or -1 for never.");
  }
  if (defaultTtl === undefined) return null;
  const seconds = typeof ttl === 'number' ? ttl : defaultTtl;
  return seconds === -1 ? null : nowSeconds + seconds;
}

const isTtl = (ttl: Json): boolean =>
  typeof ttl === 'number' && Number.isInteger(ttl) && (ttl === -1 || (ttl > 0 && ttl <= 2_147_483_647));
