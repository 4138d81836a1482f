import type { RegionStatus } from './regions/health.ts';

/** Whether the store serves at all, and a sentence for people. */
export interface StoreSummary {
  readonly reachable: boolean;
  readonly message: string;
}

/**
 * What the checks of the regions come to. With one region down the store still serves, and the sentence says which; while
 * the region that takes writes is down it serves reads alone.
 */
export function summaryOf(regions: readonly RegionStatus[]): StoreSummary {
  const checked = regions.filter(({ check }) => check !== null);
  if (checked.length === 0) return { reachable: false, message: 'The store was not asked yet.' };
  const down = checked.filter((region) => !isWell(region));
  const well = checked.filter(isWell);
  if (down.length === 0) return { reachable: true, message: 'Cosmos DB answers.' };
  const reasons = down.map(({ region, check }) => `${region}: ${check?.problem || 'no answer.'}`).join(' ');
  if (well.length === 0) return { reachable: false, message: `Cosmos DB does not answer: ${reasons}` };
  const names = well.map(({ region }) => region).join(' and ');
  return down.some(({ takesWrites }) => takesWrites)
    ? { reachable: true, message: `Cosmos DB answers reads in ${names} and takes no writes: ${reasons}` }
    : { reachable: true, message: `Cosmos DB answers in ${names}, not everywhere: ${reasons}` };
}

function isWell({ check, breaker }: RegionStatus): boolean {
  return check?.isWell === true && breaker === 'closed';
}
