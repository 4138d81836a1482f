import type { Pace } from '#test/bench/cost/rounds.ts';
import { createRandom, createZipf } from '#test/bench/lib/random.ts';
import type { Section } from '#test/bench/lib/report.ts';
import { percentile, send } from './drive.ts';
import { readMixes } from './mixes.ts';
import type { Shot } from './shots.ts';
import { type Scene, SEED, startScene } from './stage-set.ts';

const FAN_OUTS = [1, 10, 100, 200];
/** Most operations of a batch; a larger page is batches side by side, and as slow as the slowest. */
const A_BATCH = 100;
const PACE = { full: { perSecond: 10, seconds: 20 }, quick: { perSecond: 5, seconds: 4 } };

/** A view of a page is many reads and feels the slowest: how long pages take by how much they read. */
export async function pages({ quick, say }: Pace): Promise<Section> {
  const { mixes, outDegree } = readMixes();
  const [tao] = mixes;
  if (tao === undefined) throw new Error('There is no mix.');
  const pace = quick ? PACE.quick : PACE.full;
  const rows: string[][] = [];
  for (const cached of [false, true]) {
    const scene = await startScene(outDegree, { bytes: tao.objectBytes, cached });
    try {
      for (const fanOut of FAN_OUTS) {
        const row = await rowOf(scene, fanOut, { ...pace, skew: tao.skew });
        rows.push([cached ? 'cache' : 'store', ...row]);
        say(`pages of ${fanOut} ran`);
      }
    } finally {
      await scene.stop();
    }
  }
  return {
    title: 'Pages',
    conditions: [
      `object.get of ${tao.objectBytes} bytes through batch, objects by Zipf's law (${tao.skew}), seed ${SEED}, of a type that is not cached and of one that is. Open loop at ${pace.perSecond} pages a second for ${pace.seconds} s, latency from when the page was due to its last reply. One gateway with one worker on one core; the load generator and the local Cosmos endpoint on the other.`,
    ],
    tables: [{ columns: COLUMNS, rows }],
    remarks: [],
    data: rows,
  };
}

const COLUMNS = ['from', 'reads of a page', 'batches', 'pages', 'p50 ms', 'p99 ms', 'p99.9 ms', 'not served'];

interface PagePace {
  readonly perSecond: number;
  readonly seconds: number;
  readonly skew: number;
}

async function rowOf(scene: Scene, fanOut: number, { perSecond, seconds, skew }: PagePace): Promise<string[]> {
  const random = createRandom(SEED);
  const rankOf = createZipf(scene.stored.objects, skew);
  const shots = (): readonly Shot[] => {
    const reads = Array.from({ length: fanOut }, () => ({
      op: 'object.get',
      type: 'Message',
      id: `b${rankOf(random)}`,
    }));
    const parts = Array.from({ length: Math.ceil(fanOut / A_BATCH) }, (_, at) =>
      reads.slice(at * A_BATCH, (at + 1) * A_BATCH),
    );
    return parts.map((operations) => ({
      ...{ operation: 'read_txn', method: 'POST', path: '/v1/chat/batch' },
      body: JSON.stringify({ operations }),
    }));
  };
  const target = { url: scene.gateway.url, token: scene.world.tokens.reader, agent: scene.agent };
  const took: number[] = [];
  let failed = 0;
  const view = async (dueAt: number) => {
    const outcomes = await Promise.all(shots().map((shot) => send(shot, dueAt, target)));
    if (outcomes.some(({ told }) => told !== 'served')) failed += 1;
    else took.push(Math.max(...outcomes.map(({ tookMs }) => tookMs)));
  };
  for (let warm = 0; warm < perSecond; warm += 1) await view(performance.now());
  took.length = 0;
  const startedAt = performance.now();
  const views: Promise<void>[] = [];
  for (let index = 0; index < perSecond * seconds; index += 1) {
    const dueAt = startedAt + (index * 1_000) / perSecond;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, dueAt - performance.now())));
    views.push(view(dueAt));
  }
  await Promise.all(views);
  const at = (share: number) => percentile(took, share)?.toFixed(1) ?? '–';
  const batches = Math.ceil(fanOut / A_BATCH);
  return [String(fanOut), String(batches), String(took.length), at(0.5), at(0.99), at(0.999), String(failed)];
}
