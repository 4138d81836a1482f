import type { Region } from '#gateway/store/regions/region.ts';

/** The way of one read through the regions. */
export interface Route {
  /**
   * The nearest well region that was not asked yet. When no well one is left, one that may be well again, and last one whose
   * breaker is open; null when all were asked.
   */
  next(): Region | null;
  /** The region that would follow `first`, when it is well. */
  other(first: Region): Region | null;
  /** Leaves the region that was asked last; false when none is left. */
  skip(): boolean;
  /** All regions may be asked again. */
  startOver(): void;
  /** Only the region that takes writes may be asked from now on. Returns how often that was said. */
  turnToWrite(): number;
  /** Counts a failure; returns how many there were. */
  fail(): number;
  /** How often the route began anew. */
  passes(): number;
}

export interface RouteParts {
  /** Nearest first. */
  readonly regions: readonly Region[];
  readonly write: () => Region;
  readonly now: () => number;
}

export function startRoute({ regions, write, now }: RouteParts): Route {
  let left = regions;
  let asked: Region | null = null;
  let failures = 0;
  let turns = 0;
  let passes = 0;
  const isWell = (region: Region) => region.breaker.state(now()) === 'closed';
  const find = () =>
    left.find(isWell) ?? left.find((region) => region.breaker.state(now()) === 'halfOpen') ?? left[0] ?? null;
  return {
    next() {
      asked = find();
      return asked;
    },
    other: (first) => left.find((region) => region !== first && isWell(region)) ?? null,
    skip() {
      left = left.filter((region) => region !== asked);
      return find() !== null;
    },
    startOver() {
      passes += 1;
      left = regions;
    },
    turnToWrite() {
      passes += 1;
      turns += 1;
      left = [write()];
      return turns;
    },
    fail() {
      failures += 1;
      return failures;
    },
    passes: () => passes,
  };
}
