import { HEADER, type RegionTable } from './shared-table.ts';

/** How many hedged reads the workers of a process may send together: at most 5 % of their reads. */
export interface HedgeBudget {
  /** Each read that could be hedged pays in. */
  earn(): void;
  /** Takes one hedged read; false when there is none left. */
  spend(): boolean;
}

/** Thousandths of a hedged read. A read earns a twentieth; what is saved up ends at 50, so a stall cannot double the load. */
const EARNED = 50;
const COST = 1_000;
const MOST = 50 * COST;

export function createHedgeBudget({ header }: RegionTable): HedgeBudget {
  return {
    earn() {
      if (Atomics.load(header, HEADER.hedgeTokens) < MOST) Atomics.add(header, HEADER.hedgeTokens, EARNED);
    },
    spend() {
      for (;;) {
        const held = Atomics.load(header, HEADER.hedgeTokens);
        if (held < COST) return false;
        if (Atomics.compareExchange(header, HEADER.hedgeTokens, held, held - COST) === held) return true;
      }
    },
  };
}
