/** Draws that a seed decides (mulberry32). */
export interface Random {
  /** 0 up to 1. */
  next(): number;
  /** A whole number from 0 up to but not `below`. */
  below(below: number): number;
  one<T>(of: readonly T[]): T;
  /** One of the words, each as often as its weight says. */
  weighted<K extends string>(weights: Readonly<Record<K, number>>): K;
  chance(percent: number): boolean;
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    next,
    below,
    one(of) {
      const drawn = of[below(of.length)];
      if (drawn === undefined) throw new Error('There is nothing to draw from.');
      return drawn;
    },
    weighted<K extends string>(weights: Readonly<Record<K, number>>): K {
      const entries = Object.entries<number>(weights) as [K, number][];
      let at = next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [word, weight] of entries) {
        at -= weight;
        if (at < 0) return word;
      }
      throw new Error('There is nothing to draw from.');
    },
    chance: (percent) => next() * 100 < percent,
  };
}
