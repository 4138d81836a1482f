import { startTarget } from '#test/gateway/fuzz/fuzz-target.ts';
import { runFuzz } from '#test/gateway/fuzz/run-fuzz.ts';
import type { Finding } from './finding.ts';

const SEED = Number(process.env.HABITAT_SEED ?? Date.now() % 2 ** 31);
const CASES = Number(process.env.HABITAT_CASES ?? 1_000_000);
const CASE = process.env.HABITAT_CASE;

/** Pieces after which the gateway is asked whether it is well, and a line says how far it is. */
const TURN = 25_000;

/**
 * A million pieces of hostile input on a gateway and a store of its own: see test/gateway/fuzz. `HABITAT_CASE=7` with its seed plays
 * one alone, `HABITAT_CASES=1000` so many.
 */
export async function hostileInput(): Promise<Finding> {
  const target = await startTarget();
  const replay = (index: number) => `HABITAT_SEED=${SEED} HABITAT_CASE=${index} npm run soak -- hostileInput`;
  const [first, end] = CASE === undefined ? [0, CASES] : [Number(CASE), Number(CASE) + 1];
  const figures: Record<string, number> = { seed: SEED, cases: 0, replies: 0 };
  const problems: string[] = [];
  const startedAtMs = performance.now();
  try {
    for (let from = first; from < end && problems.length === 0; from += TURN) {
      const turn = await runFuzz(target, { seed: SEED, from, to: Math.min(from + TURN, end), replay });
      const { cases, replies, statuses } = turn;
      for (const [name, count] of Object.entries({ cases, replies, ...statuses })) {
        figures[name] = (figures[name] ?? 0) + count;
      }
      problems.push(...turn.problems);
      const seconds = Math.round((performance.now() - startedAtMs) / 1_000);
      process.stdout.write(`  ${figures.cases} of ${end - first} in ${seconds} s\n`);
    }
    return { figures, problems };
  } finally {
    await target.stop();
  }
}
