import { type Container, FeedRange } from '@azure/cosmos';

/**
 * The feed is worked on in four ranges of effective partition keys, whatever physical partitions the container has: leases
 * stay valid when Cosmos splits one. Keys of version 2 begin with 00 to 3F.
 */
const BOUNDS = ['', '1000', '2000', '3000', 'FF'] as const;

export const RANGES: readonly string[] = BOUNDS.slice(1).map((_, index) => `feed-${index}`);

export interface KeySpan {
  readonly min: string;
  readonly max: string;
}

export function spanOf(range: string): KeySpan {
  const index = RANGES.indexOf(range);
  const min = BOUNDS[index];
  const max = BOUNDS[index + 1];
  if (min === undefined || max === undefined) throw new Error(`The change feed has no range ${range}.`);
  return { min, max };
}

/** The SDK takes only ranges of its own class, which it does not export: one that it made lends its constructor. */
export async function feedRangeOf(container: Container, { min, max }: KeySpan): Promise<FeedRange> {
  const [whole] = await container.getFeedRanges();
  const made: unknown = whole === undefined ? undefined : Reflect.construct(whole.constructor, [min, max]);
  if (made instanceof FeedRange) return made;
  throw new Error('The Cosmos SDK made no range of the change feed.');
}
