import 'server-only';
import { MANIFEST_WAIT_MS } from '#gateway/contract/machine-api.ts';
import { hasLeft } from '#server/contract/gateway-state.ts';
import type { Reader } from '#server/db/client.ts';

/** A request is held at least this long, however near its gateway's moment is. */
export const MIN_HOLD_MS = 5_000;

/**
 * Until when a manifest request is held that has no news. Each gateway has a moment of its own in every MANIFEST_WAIT_MS,
 * evenly apart by rank of name, so that whatever made all of them ask at once (a publish, a console that came back) leaves
 * them spread again one round later. `rank` counts from 0.
 */
export function holdUntil(place: { readonly rank: number; readonly of: number }, nowMs: number): number {
  const momentMs = Math.floor((place.rank * MANIFEST_WAIT_MS) / Math.max(1, place.of));
  const sinceMs = (nowMs - momentMs) % MANIFEST_WAIT_MS;
  const leftMs = MANIFEST_WAIT_MS - sinceMs;
  return nowMs + (leftMs < MIN_HOLD_MS ? leftMs + MANIFEST_WAIT_MS : leftMs);
}

/** Place of a gateway among those that have not left; one that was not heard of yet counts too. */
export async function placeOf(
  db: Reader,
  gateway: string,
  nowMs: number,
): Promise<{ readonly rank: number; readonly of: number }> {
  const rows = await db.gateway.findMany({
    where: { leftAt: null },
    select: { name: true, lastHeardAt: true },
  });
  const names = rows
    .filter(({ lastHeardAt }) => !hasLeft({ leftAtMs: null, lastHeardMs: lastHeardAt.getTime() }, nowMs))
    .map(({ name }) => name);
  return { rank: names.filter((name) => name < gateway).length, of: new Set([...names, gateway]).size };
}
