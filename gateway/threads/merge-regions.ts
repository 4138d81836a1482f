import type { RegionStatus } from '#gateway/store/regions/health.ts';

type Lists = readonly (readonly RegionStatus[])[];

/**
 * The regions as the workers of a process see them together. Counts are added up, those of workers that ended too, so that
 * they never go back; the breaker is the same for all; of the checks the newest counts.
 */
export function mergeRegions(live: Lists, gone: Lists): readonly RegionStatus[] {
  const merged = new Map<string, RegionStatus>();
  for (const region of live.flat()) {
    const known = merged.get(placeOf(region));
    merged.set(placeOf(region), known === undefined ? region : addUp(known, region));
  }
  for (const region of gone.flat()) {
    const known = merged.get(placeOf(region));
    if (known !== undefined) merged.set(placeOf(region), addUp(known, withoutGauges(region)));
  }
  return [...merged.values()];
}

/** What a worker that ended leaves behind, added to what others left. */
export function addGone(gone: readonly RegionStatus[], ended: readonly RegionStatus[]): readonly RegionStatus[] {
  const ends = ended.map(withoutGauges);
  const others = gone.filter((one) => !ends.some((end) => placeOf(end) === placeOf(one)));
  return [...others, ...mergeRegions([ends], [gone])];
}

function placeOf({ account, region }: RegionStatus): string {
  return `${account}\n${region}`;
}

/** Connections of a worker that ended are closed; what it checked is old. */
function withoutGauges(region: RegionStatus): RegionStatus {
  return { ...region, check: null, connections: { ...region.connections, open: 0, idle: 0, waiting: 0 } };
}

function addUp(a: RegionStatus, b: RegionStatus): RegionStatus {
  const bIsNewer = (b.check?.atMs ?? 0) > (a.check?.atMs ?? 0);
  return {
    ...a,
    attempts: a.attempts + b.attempts,
    failures: a.failures + b.failures,
    throttled: a.throttled + b.throttled,
    hedges: a.hedges + b.hedges,
    hedgesWon: a.hedgesWon + b.hedgesWon,
    connections: {
      open: a.connections.open + b.connections.open,
      idle: a.connections.idle + b.connections.idle,
      waiting: a.connections.waiting + b.connections.waiting,
      opened: a.connections.opened + b.connections.opened,
      requests: a.connections.requests + b.connections.requests,
    },
    check: bIsNewer ? b.check : a.check,
  };
}
