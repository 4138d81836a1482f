import type { Section } from '#test/bench/lib/report.ts';
import { showSpread, spreadOf } from '#test/bench/lib/spread.ts';
import { OFF } from '#test/bench/stages/off-list.ts';
import { type Pace, runRounds } from './rounds.ts';
import { CONNECTIONS, getVariant, type Variant } from './variants.ts';
import { seedObjects, startWorld, type World } from './world.ts';

const HOOK = new URL('../stages/hook.ts', import.meta.url).href;
const ALL = 'every stage on';

/** The price of each stage: what a read costs less without it, in a gateway that is otherwise the same. */
export async function stageTable(pace: Pace): Promise<Section> {
  const world = await startWorld();
  try {
    const variants = await stageVariants(world, pace.quick);
    const figures = await runRounds(variants, pace);
    const whole = figures.get(ALL) ?? [];
    const rows = OFF.map(({ name, what }) => {
      const saved = (figures.get(name) ?? []).map((us, round) => (whole[round] ?? Number.NaN) - us);
      return [what, showSpread(spreadOf(saved))];
    });
    return {
      title: 'Prices of stages',
      conditions: [
        `object.get as above, c=${CONNECTIONS}, ${pace.rounds} rounds, alternated. Each row is what a read costs less in a gateway without that stage, in µs of processor time, median [2nd lowest – 2nd highest] of the rounds; with every stage a read costs ${showSpread(spreadOf(whole))}. Less than a tenth of that is no finding.`,
      ],
      tables: [{ columns: ['stage', 'µs per operation'], rows }],
      remarks: [],
      data: Object.fromEntries(figures),
    };
  } finally {
    await world.stop();
  }
}

async function stageVariants(world: World, quick: boolean): Promise<readonly Variant[]> {
  const use = { token: world.tokens.reader, quick };
  const variants: Variant[] = [];
  for (const { name } of [{ name: '' }, ...OFF]) {
    const gateway = await world.gateway({ NODE_OPTIONS: `--import ${HOOK}`, BENCH_STAGES_OFF: name });
    if (name === '') await seedObjects(gateway, world.tokens.reader);
    variants.push(getVariant(name === '' ? ALL : name, gateway, use));
  }
  return variants;
}
