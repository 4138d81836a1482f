import { readFileSync } from 'node:fs';
import type { ObjectHistory } from '#test/gateway/histories/history.ts';
import { judgedAs, runSeed } from '#test/gateway/histories/run-seed.ts';
import { startWorld, type World } from '#test/gateway/histories/world.ts';
import { bigSweep } from '#test/soak/big-sweep.ts';
import { concurrentPuts } from '#test/soak/concurrent-puts.ts';
import { cursorAcrossGateways } from '#test/soak/cursor-across-gateways.ts';
import type { Finding } from '#test/soak/finding.ts';
import { hostileInput } from '#test/soak/hostile-input.ts';
import { listsBesideSweep } from '#test/soak/lists-beside-sweep.ts';
import { longWalk } from '#test/soak/long-walk.ts';

/**
 * `npm run soak`: histories of 20 seeds, then the long cases, against two gateways and an endpoint of two regions.
 * `HABITAT_SEED=7` plays that seed alone; words on the command line choose among `histories` and the cases;
 * `judge FILE` judges the histories that a wrong run kept once more.
 */
const SEEDS =
  process.env.HABITAT_SEED === undefined
    ? Array.from({ length: 20 }, (_, index) => index + 1)
    : [Number(process.env.HABITAT_SEED)];
const SIZE = { operationsAnObject: 300, troubles: 16, kills: ['gw-a', 'endpoint', 'gw-b', 'endpoint'] };

/** Of what gateways wrote on standard error, when something is wrong. */
const MOST_SAID_CHARS = 10_000;

const CASES: Readonly<Record<string, (world: World) => Promise<Finding>>> = {
  histories,
  concurrentPuts,
  cursorAcrossGateways,
  longWalk,
  listsBesideSweep,
  bigSweep,
  hostileInput,
};

async function histories(world: World): Promise<Finding> {
  const sums: Record<string, number> = {};
  const problems: string[] = [];
  for (const seed of SEEDS) {
    // With every type cached in half of them, for longer than a seed takes.
    await world.cacheFor(seed % 2 === 0 ? 3_600_000 : null);
    const { problems: found, ...figures } = await runSeed(world, seed, SIZE);
    say(`  ${JSON.stringify(figures)}`);
    for (const [name, value] of Object.entries(figures)) sums[name] = (sums[name] ?? 0) + value;
    if (found.length > 0) problems.push(`replay with HABITAT_SEED=${seed} npm run soak -- histories`, ...found);
  }
  await world.cacheFor(null);
  return { figures: { ...sums, seed: SEEDS.length }, problems };
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

const chosen = process.argv.slice(2);
if (chosen[0] === 'judge') {
  const kept = JSON.parse(readFileSync(String(chosen[1]), 'utf8')) as ObjectHistory[];
  const found = kept.map(judgedAs).flatMap(({ problems }) => problems);
  say(found.length === 0 ? 'every outcome is explained' : found.join('\n\n'));
  process.exit(found.length === 0 ? 0 : 1);
}
const names = chosen.length > 0 ? chosen : Object.keys(CASES);
const world = await startWorld();
let failed = 0;
try {
  for (const name of names) {
    const play = CASES[name];
    if (play === undefined) throw new Error(`There is no case ${name}: ${Object.keys(CASES).join(', ')}.`);
    const startedAtMs = performance.now();
    say(name);
    const { figures, problems } = await play(world);
    failed += problems.length;
    say(`  ${JSON.stringify(figures)} in ${Math.round((performance.now() - startedAtMs) / 1_000)} s`);
    for (const problem of problems) say(problem);
    if (problems.length > 0) say(`the gateways said: ${world.said().slice(-MOST_SAID_CHARS)}`);
    say(problems.length === 0 ? `  ${name} holds` : `  ${name} FAILED`);
  }
} finally {
  await world.stop();
}
process.exit(failed === 0 ? 0 : 1);
