import type { CountedEdge } from '#gateway/store/feed/counted-item.ts';

/** Of each sort, so that one count of a range costs at most twice as many checks of 2 RU. */
const MOST_OF_A_SORT = 300;

export interface EdgeSample {
  offer(edge: CountedEdge): void;
  /** Those written lately first. */
  chosen(): readonly CountedEdge[];
}

/**
 * A bounded choice among the edges that a count met: an even draw among those written since `recentSinceMs`, where drift
 * is fresh, and another among all others, so that each comes to be looked at some day, whoever holds the range by then.
 */
export function createEdgeSample(recentSinceMs: number, random: () => number): EdgeSample {
  const recent = createDraw(random);
  const older = createDraw(random);
  return {
    offer: (edge) => (edge.atMs >= recentSinceMs ? recent : older).offer(edge),
    chosen: () => [...recent.drawn, ...older.drawn],
  };
}

/** Algorithm R (Vitter 1985): after any number of offers each is kept with the same chance. */
function createDraw(random: () => number) {
  const drawn: CountedEdge[] = [];
  let offered = 0;
  return {
    drawn,
    offer(edge: CountedEdge): void {
      offered += 1;
      const at = offered <= MOST_OF_A_SORT ? drawn.length : Math.floor(random() * offered);
      if (at < MOST_OF_A_SORT) drawn[at] = edge;
    },
  };
}
