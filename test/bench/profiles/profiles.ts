import type { Pace } from '#test/bench/cost/rounds.ts';
import { cpuUsOf } from '#test/bench/lib/cpu.ts';
import { createRandom } from '#test/bench/lib/random.ts';
import type { Section, Table } from '#test/bench/lib/report.ts';
import { type Drive, drive, type Outcome, percentile } from './drive.ts';
import { type Mix, readMixes } from './mixes.ts';
import { createShots } from './shots.ts';
import { type Scene, SEED, startScene } from './stage-set.ts';

const PACE = { full: { perSecond: 150, seconds: 40 }, quick: { perSecond: 80, seconds: 8 } };
const WARM_SECONDS = 4;

interface Ran extends Drive {
  readonly mix: Mix;
  readonly gatewayCores: number;
  /** Requests to the store, and how many of those were hedges, throttled, or failed. */
  readonly store: Readonly<Record<(typeof COUNTS)[number], number>>;
}

/** Published mixes as an open loop: how long each operation takes, where it was served from, what it cost. */
export async function profiles({ quick, say }: Pace): Promise<Section> {
  const { mixes, outDegree } = readMixes();
  const ran: Ran[] = [];
  for (const mix of mixes) {
    const scene = await startScene(outDegree, { bytes: mix.objectBytes, cached: true });
    try {
      ran.push(await runMix(scene, mix, quick ? PACE.quick : PACE.full));
      say(`${mix.name} ran`);
    } finally {
      await scene.stop();
    }
  }
  return sectionOf(ran, quick ? PACE.quick : PACE.full);
}

async function runMix(
  scene: Scene,
  mix: Mix,
  pace: { readonly perSecond: number; readonly seconds: number },
): Promise<Ran> {
  const next = createShots(mix, scene.stored, createRandom(SEED));
  const { url, pid } = scene.gateway;
  const options = { url, token: scene.world.tokens.reader, agent: scene.agent, perSecond: pace.perSecond };
  await drive(next, { ...options, seconds: WARM_SECONDS });
  const [before, cpu] = [await countsOf(url), cpuUsOf(pid)];
  const ran = await drive(next, { ...options, seconds: pace.seconds });
  const gatewayCores = (cpuUsOf(pid) - cpu) / 1e6 / (ran.outcomes.length / ran.achievedPerSecond);
  const after = await countsOf(url);
  const store = Object.fromEntries(COUNTS.map((name) => [name, after[name] - before[name]])) as Ran['store'];
  return { ...ran, mix, gatewayCores, store };
}

const COUNTS = ['attempts', 'hedges', 'throttled', 'failures'] as const;

async function countsOf(url: string): Promise<Ran['store']> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const of = (name: string) =>
    [...text.matchAll(new RegExp(`^habitat_store_${name}_total\\{.*\\} (\\d+)$`, 'gm'))].reduce(
      (sum, [, value]) => sum + Number(value),
      0,
    );
  return { attempts: of('attempts'), hedges: of('hedges'), throttled: of('throttled'), failures: of('failures') };
}

const COLUMNS = ['operation', 'served from', 'requests', 'p50 ms', 'p99 ms', 'p99.9 ms', 'RU each', 'not served'];

function sectionOf(
  ran: readonly Ran[],
  { perSecond, seconds }: { readonly perSecond: number; readonly seconds: number },
): Section {
  const tables = ran.map(({ outcomes }): Table => ({ columns: COLUMNS, rows: rowsOf(outcomes) }));
  const remarks = ran.map(
    ({ mix, offeredPerSecond, achievedPerSecond, generatorCores, gatewayCores, store, outcomes }) => {
      const failed = outcomes.filter(({ told }) => told !== 'served').length;
      const { attempts, hedges, throttled, failures } = store;
      return `${mix.name} (${mix.source}): offered ${offeredPerSecond}/s, achieved ${achievedPerSecond.toFixed(0)}/s; ${failed} of ${outcomes.length} not served; ${attempts} requests to the store, of which ${hedges} hedges, ${throttled} throttled, ${failures} failed; gateway ${gatewayCores.toFixed(2)} cores, load generator ${generatorCores.toFixed(2)}.`;
    },
  );
  return {
    title: 'Published mixes',
    conditions: [
      `Open loop at ${perSecond} requests a second for ${seconds} s after ${WARM_SECONDS} s of the same, latency from when a request was due, seed ${SEED}. One gateway with one worker on one core; the load generator and the local Cosmos endpoint (one region, over TCP) on the other. All types are kept in the cache for a minute. One table a mix, in the order of the remarks below.`,
    ],
    tables,
    remarks,
    data: ran.map(({ outcomes, mix, ...rest }) => ({ mix: mix.name, ...rest, rows: rowsOf(outcomes) })),
  };
}

/** A row an operation and place that served it; what was not served is told by its code. */
function rowsOf(outcomes: readonly Outcome[]): readonly (readonly string[])[] {
  const groups = Map.groupBy(outcomes, ({ operation, from }) => `${operation}|${from === 'cache' ? 'cache' : 'store'}`);
  return [...groups].toSorted().map(([name, group]) => {
    const served = group.filter(({ told }) => told === 'served');
    const took = served.map(({ tookMs }) => tookMs);
    const at = (share: number) => percentile(took, share)?.toFixed(1) ?? '–';
    const ru = served.reduce((sum, one) => sum + one.ru, 0) / Math.max(1, served.length);
    return [...name.split('|'), String(group.length), at(0.5), at(0.99), at(0.999), ru.toFixed(2), codesOf(group)];
  });
}

function codesOf(group: readonly Outcome[]): string {
  const codes = Map.groupBy(
    group.filter(({ told }) => told !== 'served'),
    ({ told }) => told,
  );
  return [...codes].map(([told, all]) => `${told} ${all.length}`).join(', ') || '0';
}
