import { join } from 'node:path';
import type { Child } from '#test/bench/lib/child.ts';
import { type Nginx, startNginx } from '#test/bench/lib/nginx.ts';
import type { Section } from '#test/bench/lib/report.ts';
import { ratios, showSpread, spreadOf, widthOf } from '#test/bench/lib/spread.ts';
import { missing, NGINX } from '#test/bench/lib/tools.ts';
import { type Figures, type Pace, runRounds } from './rounds.ts';
import { targetTable } from './targets.ts';
import {
  batchVariant,
  CONNECTIONS,
  getVariant,
  nginxVariants,
  refusalVariants,
  sdkVariant,
  type Variant,
} from './variants.ts';
import { CACHED, checkCached, OBJECT_BYTES, OBJECTS, seedObjects, startWorld, type World } from './world.ts';

/** Processor time per operation of the gateway, beside what is possible and what the SDK takes. */
export async function costTable(pace: Pace): Promise<Section> {
  const world = await startWorld();
  const children: (Child | Nginx)[] = [];
  const remarks: string[] = [];
  try {
    const { variants, started } = await allVariants(world, pace.quick, remarks);
    children.push(...started);
    const figures = await runRounds(variants, pace);
    return sectionOf(figures, { ...pace, remarks });
  } finally {
    for (const child of children) await child.stop();
    await world.stop();
  }
}

async function allVariants(world: World, quick: boolean, remarks: string[]) {
  const started: (Child | Nginx)[] = [];
  const gateway = await world.gateway();
  await seedObjects(gateway, world.tokens.reader);
  await seedObjects(gateway, world.tokens.reader, CACHED);
  await checkCached(gateway, world.tokens.reader);
  const variants: Variant[] = [];
  const absent = missing(NGINX);
  if (absent === null) {
    const nginx = await startNginx({ dir: join(world.dir, 'nginx'), ...world.upstream });
    started.push(nginx);
    variants.push(...nginxVariants(nginx, quick));
  } else remarks.push(`Without the yardstick of the possible: ${absent}`);
  const sdk = await sdkVariant(world, quick);
  started.push(sdk.child);
  const use = { token: world.tokens.reader, quick };
  const throughSdk = await world.gateway({ COSMOS_POINT_READS: 'sdk' });
  variants.push(
    getVariant('object.get', gateway, use),
    getVariant('object.get from the cache', gateway, { ...use, type: CACHED }),
    sdk.variant,
    getVariant('object.get by the SDK lane', throughSdk, use),
    ...refusalVariants(gateway, world, quick),
    await batchVariant('batch of 100, one by one', gateway, { world, quick }),
    await batchVariant('batch of 100 from the cache', gateway, { world, quick, type: CACHED }),
  );
  return { variants, started };
}

interface Told {
  readonly rounds: number;
  readonly remarks: readonly string[];
}

/** A figure whose yardstick spreads more than this is no ground to judge on. */
const MOST_WIDTH = 0.25;

function sectionOf(figures: Figures, { rounds, remarks }: Told): Section {
  const yardstick = figures.get('nginx http→TLS');
  const rows = [...figures].map(([name, values]) => {
    const beside = yardstick === undefined ? '' : showSpread(spreadOf(ratios(values, yardstick)), 2);
    return [name, showSpread(spreadOf(values)), beside];
  });
  const width = yardstick === undefined ? 0 : widthOf(spreadOf(yardstick));
  const isWide = width > MOST_WIDTH;
  const warning = `nginx http→TLS spreads over ${Math.round(width * 100)} %, more than 25: no target is judged by this run.`;
  return {
    title: 'Cost of an operation',
    conditions: [
      `Closed loop, c=${CONNECTIONS}, ${OBJECTS} objects of ${OBJECT_BYTES} bytes that do not compress, ${rounds} rounds, alternated. The server alone on one core; h2load and the recorded Cosmos replies behind TLS on the other. µs of processor time per operation, all threads of the server: median [2nd lowest – 2nd highest] of the rounds; ratios are of the same round.`,
    ],
    tables: [
      { columns: ['server and operation', 'µs per operation', '÷ nginx http→TLS'], rows },
      targetTable(figures, isWide),
    ],
    remarks: [...remarks, ...(isWide ? [warning] : []), ...droppedRemarks(figures)],
    data: Object.fromEntries(figures),
  };
}

/** A gateway whose event loop is late sheds; a round in which it did says nothing of the cost of serving. */
function droppedRemarks(figures: Figures): readonly string[] {
  return [...figures].flatMap(([name, values]) => {
    const dropped = values.filter(Number.isNaN).length;
    return dropped === 0
      ? []
      : [`${name}: ${dropped} of ${values.length} rounds are left out, since requests were refused.`];
  });
}
