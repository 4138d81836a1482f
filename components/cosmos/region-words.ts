import type { ConsistencyLevel, Fault } from '#gateway/contract/local-cosmos.ts';

/** Levels of consistency as prose writes them. */
export const CONSISTENCY_WORDS: Readonly<Record<ConsistencyLevel, string>> = {
  Strong: 'strong consistency',
  BoundedStaleness: 'bounded staleness',
  Session: 'session consistency',
  ConsistentPrefix: 'consistent prefix',
  Eventual: 'eventual consistency',
};

/** Whether a fault is on that a region may play. */
export function hasFault(
  faults: readonly Fault[],
  place: { readonly account: string; readonly region: string },
): boolean {
  return faults.some(
    ({ account, region }) =>
      (account === undefined || account === place.account) && (region === undefined || region === place.region),
  );
}
