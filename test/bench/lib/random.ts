/** Numbers that one seed always gives in the same order (mulberry32); 0 ≤ value < 1. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A name with the share that its weight has of all. */
export function pickWeighted<K extends string>(weights: Readonly<Record<K, number>>, random: () => number): K {
  const entries = Object.entries(weights) as [K, number][];
  let left = random() * entries.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [name, weight] of entries) {
    left -= weight;
    if (left < 0) return name;
  }
  return entries[entries.length - 1]?.[0] ?? raiseEmpty();
}

function raiseEmpty(): never {
  throw new Error('There is nothing to pick from.');
}

/** Ranks 0…size−1, the first most often: Zipf's law with this exponent. */
export function createZipf(size: number, exponent: number): (random: () => number) => number {
  const sums: number[] = [];
  let sum = 0;
  for (let rank = 1; rank <= size; rank += 1) {
    sum += 1 / rank ** exponent;
    sums.push(sum);
  }
  return (random) => {
    const wanted = random() * sum;
    const found = sums.findIndex((edge) => edge >= wanted);
    return found === -1 ? size - 1 : found;
  };
}

/** A value of an empirical distribution given as `[value, percent at most]`, rising. */
export function pickFromCdf(cdf: readonly (readonly [number, number])[], random: () => number): number {
  const percent = random() * 100;
  return cdf.find(([, atMost]) => percent <= atMost)?.[0] ?? 0;
}
