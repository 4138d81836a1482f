import { startTarget } from '#test/gateway/fuzz/fuzz-target.ts';
import { runFuzz } from '#test/gateway/fuzz/run-fuzz.ts';
import type { Finding } from './finding.ts';

const SEED = Number(process.env.HABITAT_SEED ?? Date.now() % 2 ** 31);
const CASES = Number(process.env.HABITAT_CASES ?? 1_000_000);
const CASE = process.env.HABITAT_CASE;

/**
 * A million pieces of hostile input on a gateway and a store of its own: see test/gateway/fuzz. `HABITAT_CASE=7` with its seed plays
 * one alone, `HABITAT_CASES=1000` so many.
 */
export async function hostileInput(): Promise<Finding> {
  const target = await startTarget();
  try {
    const [from, to] = CASE === undefined ? [0, CASES] : [Number(CASE), Number(CASE) + 1];
    const replay = (index: number) => `HABITAT_SEED=${SEED} HABITAT_CASE=${index} npm run soak -- hostileInput`;
    const { cases, replies, statuses, problems } = await runFuzz(target, { seed: SEED, from, to, replay });
    return { figures: { seed: SEED, cases, replies, ...statuses }, problems };
  } finally {
    await target.stop();
  }
}
