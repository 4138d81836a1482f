import type { Variant } from './variants.ts';

export interface Pace {
  readonly quick: boolean;
  readonly rounds: number;
  readonly say: (line: string) => void;
}

/** µs of processor time per operation, by variant and round. */
export type Figures = ReadonlyMap<string, readonly number[]>;

/** Every variant once a round, in turn, after all are warm. */
export async function runRounds(variants: readonly Variant[], { quick, rounds, say }: Pace): Promise<Figures> {
  const figures = new Map<string, number[]>(variants.map(({ name }) => [name, []]));
  for (const variant of variants) await warm(variant, quick ? 0 : LEAST_WARMING);
  say('all are warm');
  for (let round = 0; round < rounds; round += 1) {
    const line: string[] = [];
    for (const { name, operations, run } of variants) {
      const us = (await run(operations)) / operations;
      figures.get(name)?.push(us);
      line.push(`${name} ${us.toFixed(1)}`);
    }
    say(`round ${round + 1} of ${rounds}, µs: ${line.join(', ')}`);
  }
  return figures;
}

const MOST_WARMING = 8;
/** A server whose cost fell by more than this is still being compiled. */
const STILL_FALLING = 0.95;
/** Below it V8 still compiles and takes back what it guessed wrong, however steady two turns look on a noisy machine. */
const LEAST_WARMING = 60_000;

async function warm({ operations, run }: Variant, least: number): Promise<void> {
  let before = Number.POSITIVE_INFINITY;
  for (let turn = 1; turn <= MOST_WARMING || turn * operations <= least; turn += 1) {
    const now = await run(operations);
    if (now > before * STILL_FALLING && turn * operations >= least) return;
    before = now;
  }
}
