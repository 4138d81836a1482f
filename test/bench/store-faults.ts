import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createContent } from '#gateway/content/create-content.ts';
import type { FaultEffect, FaultOperation } from '#gateway/contract/local-cosmos.ts';
import { isDenial } from '#gateway/pipeline/denial.ts';
import { createStore, type Store } from '#gateway/store/create-store.ts';
import { idOf, keyed, keyOf, messages, newCall, servedBy } from '#test/gateway/store/store-fixture.ts';
import { type FaultedAccount, startFaultedAccount } from './faulted-account.ts';
import { createOpenLoop, type Done, type OpenLoop, percentileMs, recoveryMs } from './open-loop.ts';

/**
 * What faults of the store do to its callers: `node test/bench/store-faults.ts [seconds per fault] [requests per second]`.
 * Two regions in a process of their own; the store prefers West, and East takes the writes. The load does not wait for
 * replies. Prints a table, and what became of all acknowledged writes.
 */
const SECONDS = Number(process.argv[2] ?? 10);
const PER_SECOND = Number(process.argv[3] ?? 300);
const WRITES_PERCENT = 30;
const DEADLINE_MS = 2_000;
const AFTER_SECONDS = 6;
/** Slower than this, or than three times the slowest hundredth without a fault, is a trace of one. */
const SLOW_MS = 250;
const WATCH_EVERY_MS = 50;
const ROOMS = 200;

interface Trial {
  readonly name: string;
  readonly faults: readonly {
    readonly region: 'East' | 'West';
    readonly effect: FaultEffect;
    readonly percent?: number;
    readonly operations?: FaultOperation[];
  }[];
  /** Writes move to West for the time of the trial. */
  readonly isFailover?: boolean;
}

const status = (code: number, subStatus = 0, retryAfterMs: number | null = null): FaultEffect => ({
  ...{ kind: 'status', status: code, subStatus, retryAfterMs },
});
const west = (effect: FaultEffect, percent = 100) => ({ region: 'West', effect, percent }) as const;
const east = (effect: FaultEffect, percent = 100) => ({ region: 'East', effect, percent }) as const;

const TRIALS: readonly Trial[] = [
  { name: 'none', faults: [] },
  { name: 'West refuses', faults: [{ region: 'West', effect: { kind: 'refuse' } }] },
  { name: 'East refuses', faults: [{ region: 'East', effect: { kind: 'refuse' } }] },
  { name: 'West resets', faults: [west({ kind: 'reset' })] },
  { name: 'West hangs', faults: [west({ kind: 'hang' })] },
  { name: 'East hangs', faults: [east({ kind: 'hang' })] },
  { name: 'West slow by 300 ms', faults: [west({ kind: 'slow', delayMs: 300, perQueuedMs: 0 })] },
  { name: 'West slower with each request', faults: [west({ kind: 'slow', delayMs: 5, perQueuedMs: 5 })] },
  { name: '429 for 20 %, both', faults: [west(status(429, 3200, 20), 20), east(status(429, 3200, 20), 20)] },
  { name: '449 for 20 % in East', faults: [east(status(449), 20)] },
  { name: '410/1002 for 50 %, both', faults: [west(status(410, 1002), 50), east(status(410, 1002), 50)] },
  { name: '408 in West', faults: [west(status(408))] },
  { name: '503 in West', faults: [west(status(503))] },
  { name: '503 in East', faults: [east(status(503))] },
  { name: '404/1002 in West', faults: [{ ...west(status(404, 1002)), operations: ['read', 'query'] }] },
  { name: '403/3: writes move to West', faults: [], isFailover: true },
  { name: 'HTML under 502 in West', faults: [west({ kind: 'html', status: 502 })] },
  {
    name: 'nothing under 200, 20 %, both',
    faults: [west({ kind: 'empty', status: 200 }, 20), east({ kind: 'empty', status: 200 }, 20)],
  },
  { name: '20 % committed, then reset', faults: [{ ...east({ kind: 'commitThenReset' }, 20), operations: ['batch'] }] },
  {
    name: '20 % delivered 500 ms late',
    faults: [{ ...east({ kind: 'delayedDelivery', delayMs: 500 }, 20), operations: ['batch'] }],
  },
  {
    name: '429 inside a 207 for 20 %',
    faults: [{ ...east({ kind: 'batchStatus', status: 429, index: 0, retryAfterMs: 10 }, 20), operations: ['batch'] }],
  },
];

/** What the writes of the load were told, by room: the truth is compared with it at the end. */
const told = { acknowledged: new Map<string, string>(), unknown: new Set<string>(), refused: new Set<string>() };

const edgeOf = (room: string) => ({ from: keyOf('Conversation', room), rule: messages });
const roomOf = (index: number) => `room-${index % ROOMS}`;

async function request(store: Store, kind: Done['kind'], index: number): Promise<string> {
  const room = roomOf(index);
  const call = newCall({ ...keyed(`k${index}`), deadlineAtMs: Date.now() + DEADLINE_MS });
  if (kind === 'read') {
    const reply = await store.countEdges(edgeOf(room), call);
    return isDenial(reply) ? reply.code : 'served';
  }
  const to = `e${index}`;
  const reply = await store.putEdge({ ...edgeOf(room), toId: idOf(to) }, { timeMs: index, data: null }, call);
  if (!isDenial(reply)) told.acknowledged.set(to, room);
  else if (reply.code === 'outcome_unknown') told.unknown.add(to);
  else told.refused.add(to);
  return isDenial(reply) ? reply.code : 'served';
}

interface Bench {
  readonly account: FaultedAccount;
  readonly store: Store;
  readonly load: OpenLoop;
  slowMs: number;
}

/** When a breaker was last seen not closed; asked once, it stops watching. */
function watchBreakers(store: Store): { lastOpenAt(): number } {
  let lastOpenAt = 0;
  const watching = setInterval(() => {
    if (store.regions().some(({ breaker }) => breaker !== 'closed')) lastOpenAt = performance.now();
  }, WATCH_EVERY_MS);
  return {
    lastOpenAt() {
      clearInterval(watching);
      return lastOpenAt;
    },
  };
}

async function tryOut(trial: Trial, by: Bench): Promise<string> {
  const { account, store, load } = by;
  const hedgesBefore = hedgesOf(store);
  if (trial.isFailover === true) await account.failover('West');
  for (const fault of trial.faults) await account.fault(fault);
  const during = await load.run(SECONDS * 1_000);
  const hedges = hedgesOf(store) - hedgesBefore;
  await account.clear();
  if (trial.isFailover === true) await account.failover('East');
  const liftedAt = performance.now();
  const breakers = watchBreakers(store);
  const after = await load.run(AFTER_SECONDS * 1_000);
  const closedMs = Math.max(0, breakers.lastOpenAt() - liftedAt);
  const [reads, writes] = [during.filter(({ kind }) => kind === 'read'), during.filter(({ kind }) => kind === 'write')];
  const cells = [trial.name, ...cellsOf(reads), ...cellsOf(writes), String(hedges)];
  by.slowMs = Math.max(by.slowMs, trial.name === 'none' ? 3 * (percentileMs(during, 0.99) ?? 0) : 0);
  const traceMs = recoveryMs(after, liftedAt, by.slowMs);
  return `| ${[...cells, msText(traceMs), msText(closedMs)].join(' | ')} |`;
}

function cellsOf(done: readonly Done[]): readonly string[] {
  const failed = done.filter((one) => one.told !== 'served');
  const codes = new Map<string, number>();
  for (const one of failed) codes.set(one.told, (codes.get(one.told) ?? 0) + 1);
  const percent = ((failed.length / Math.max(1, done.length)) * 100).toFixed(failed.length === 0 ? 0 : 2);
  const by = [...codes].map(([code, count]) => `${code} ${count}`).join(', ');
  return [
    `${percent} %${by === '' ? '' : ` (${by})`}`,
    msText(percentileMs(done, 0.5)),
    msText(percentileMs(done, 0.99)),
  ];
}

const msText = (ms: number | null) => (ms === null ? '–' : `${ms < 10 ? ms.toFixed(1) : Math.round(ms)}`);

function hedgesOf(store: Store): number {
  return store.regions().reduce((sum, region) => sum + region.hedges, 0);
}

/** Compares what is stored with what was told. */
async function audit(store: Store): Promise<string> {
  let [lost, twice, resurrected, found] = [0, 0, 0, 0];
  for (let index = 0; index < ROOMS; index += 1) {
    const room = roomOf(index);
    const stored = await targetsOf(store, room);
    const count = await servedBy(store.countEdges(edgeOf(room), newCall({ consistency: 'critical' })));
    found += stored.length;
    if (count !== stored.length) twice += Math.abs(count - stored.length);
    const there = new Set(stored);
    for (const [to, at] of told.acknowledged) if (at === room && !there.has(to)) lost += 1;
    for (const to of stored) if (told.refused.has(to)) resurrected += 1;
  }
  return (
    `Writes acknowledged: ${told.acknowledged.size}; lost: ${lost}. Counts differ from lists by ${twice}. ` +
    `Writes refused as not done: ${told.refused.size}; yet stored: ${resurrected}. ` +
    `Outcome unknown: ${told.unknown.size}. Edges stored: ${found}.`
  );
}

async function targetsOf(store: Store, room: string, afterS: string | null = null): Promise<readonly string[]> {
  const want = { limit: 500, afterS, afterMs: null, beforeMs: null };
  const { edges, more } = await servedBy(store.listEdges(edgeOf(room), want, newCall()));
  const targets = edges.map(({ toId }) => toId);
  return more ? [...targets, ...(await targetsOf(store, room, edges.at(-1)?.s ?? null))] : targets;
}

async function main(): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'habitat-faults-'));
  const account = await startFaultedAccount(join(dir, 'cosmos'));
  const content = createContent({ keysDir: join(dir, 'keys'), now: Date.now });
  const credential = { kind: 'key', key: account.key } as const;
  const options = { endpoint: account.url, credential, content, clock: { now: Date.now }, preferredRegions: ['West'] };
  const store = createStore(options);
  try {
    await store.watch();
    process.stdout.write(
      `${PER_SECOND} requests/s offered (${WRITES_PERCENT} % edge.put with a key, else edge.count), each fault ${SECONDS} s, ` +
        `deadline ${DEADLINE_MS} ms; times in ms, of served requests, from when they were due.\n\n` +
        '| fault | reads failed | p50 | p99 | writes failed | p50 | p99 | hedges | last trace after its end | breakers closed after |\n' +
        '|---|---|---|---|---|---|---|---|---|---|\n',
    );
    const offered = { perSecond: PER_SECOND, writesPercent: WRITES_PERCENT };
    const load = createOpenLoop(offered, (kind, index) => request(store, kind, index));
    const bench: Bench = { account, store, load, slowMs: SLOW_MS };
    for (const trial of TRIALS) process.stdout.write(`${await tryOut(trial, bench)}\n`);
    process.stdout.write(`\n${await audit(store)}\n`);
  } finally {
    await store.close();
    await account.stop();
    await rm(dir, { recursive: true, force: true });
  }
}

await main();
