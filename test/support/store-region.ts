import type { StoreRegion } from '#gateway/contract/machine-api.ts';

/** A healthy region of the store, as a heartbeat tells it. */
export function storeRegion(region: string, more: Partial<StoreRegion> = {}): StoreRegion {
  return {
    account: 'habitat-local',
    region,
    takesWrites: false,
    breaker: 'closed',
    breakerSinceMs: null,
    attempts: 1_204,
    failures: 3,
    throttled: 12,
    hedges: 4,
    hedgesWon: 3,
    connections: { open: 8, idle: 6, waiting: 0, opened: 10, requests: 1_204 },
    ...more,
  };
}
