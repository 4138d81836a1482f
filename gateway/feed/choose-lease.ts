import type { StoredLease } from './feed-port.ts';

/** A lease that nobody wrote for so long, by this gateway's own clock, is free. */
export const LEASE_MS = 12_000;

/** A lease as this gateway saw it, and since when it looks like that. */
export interface SeenLease extends StoredLease {
  readonly sinceMs: number;
}

/**
 * The lease that `owner` should take next, null when it has its share or nothing is to be had: first what is its own from
 * before a restart or is free, then one of the owner that has most more than its share. Fencing is the etag's business; this
 * only sees to it that each range has one worker and every gateway a fair part.
 */
export function chooseLease(
  seen: readonly SeenLease[],
  me: { readonly owner: string; readonly held: ReadonlySet<string>; readonly nowMs: number },
): SeenLease | null {
  const { owner, held, nowMs } = me;
  const others = seen.filter(({ lease }) => !held.has(lease.range));
  const own = others.find(({ lease }) => lease.owner === owner);
  if (own !== undefined) return own;
  const isFree = ({ lease, sinceMs }: SeenLease) => lease.owner === null || nowMs - sinceMs >= LEASE_MS;
  const busy = Map.groupBy(
    others.filter((one) => !isFree(one)),
    ({ lease }) => lease.owner,
  );
  const owners = busy.size + 1;
  if (held.size < Math.ceil(seen.length / owners)) {
    const free = others.find(isFree);
    if (free !== undefined) return free;
  }
  if (held.size >= Math.floor(seen.length / owners)) return null;
  const [most] = [...busy.values()].sort((a, b) => b.length - a.length);
  return most !== undefined && most.length > held.size + 1 ? (most[0] ?? null) : null;
}
