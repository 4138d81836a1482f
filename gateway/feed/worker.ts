import type { Drift, EntryRef, WaitingEntry } from '#gateway/contract/background.ts';
import { isDenial } from '#gateway/pipeline/denial.ts';
import { chooseLease, type SeenLease } from './choose-lease.ts';
import type { FeedPort } from './feed-port.ts';
import { createRangeWorker, type RangeStatus, type RangeWorker } from './range-worker.ts';

/** How often leases that others hold are looked at. */
const LOOK_EVERY_MS = 2_000;
const IDLE_MS = 250;

export interface FeedWorkerOptions {
  readonly port: FeedPort;
  /** Names this gateway over restarts, so that it takes up at once what it held. */
  readonly owner: string;
  readonly now: () => number;
}

/** The worker over the change feed: takes its share of the ranges and works on each. */
export interface FeedWorker {
  /** One round over everything. Never rejects. */
  tick(): Promise<void>;
  /** Ticks until `stop`. */
  run(): Promise<void>;
  tryAgain(range: string, ref: EntryRef): void;
  /** Drift that is known of a range; none when it is not held. */
  drifts(range: string): readonly WaitingEntry[];
  changeDrift(range: string, pk: string, change: (drift: Drift) => Drift): void;
  ranges(): readonly RangeStatus[];
  /** Why leases cannot be read or taken now; null while all is well. */
  problem(): string | null;
  /** Ends the round that is under way, and gives the leases back. */
  stop(): Promise<void>;
}

interface Running extends FeedWorkerOptions {
  readonly seen: Map<string, SeenLease>;
  readonly held: Map<string, RangeWorker>;
  lookedAtMs: number | null;
  problem: string | null;
}

export function createFeedWorker(options: FeedWorkerOptions): FeedWorker {
  const running: Running = { ...options, seen: new Map(), held: new Map(), lookedAtMs: null, problem: null };
  let isStopping = false;
  let rounds: Promise<void> | null = null;
  const tick = () => tickOnce(running);
  const ticks = async () => {
    while (!isStopping) {
      await tick();
      if (![...running.held.values()].some((worker) => worker.isBusy())) await pause(IDLE_MS);
    }
  };
  return {
    tick,
    run() {
      rounds ??= ticks();
      return rounds;
    },
    tryAgain: (range, ref) => running.held.get(range)?.tryAgain(ref),
    drifts: (range) => running.held.get(range)?.drifts() ?? [],
    changeDrift: (range, pk, change) => running.held.get(range)?.changeDrift(pk, change),
    ranges: () => [...running.held.values()].map((worker) => worker.status()),
    problem: () => running.problem,
    async stop() {
      isStopping = true;
      await rounds;
      await Promise.all([...running.held.values()].map((worker) => worker.release()));
      running.held.clear();
    },
  };
}

async function tickOnce(running: Running): Promise<void> {
  await lookForLeases(running);
  await Promise.all(
    [...running.held].map(async ([range, worker]) => {
      if (await stepped(running, worker)) return;
      running.held.delete(range);
      running.seen.delete(range);
    }),
  );
}

/** What nobody foresaw costs the range its worker, not the others: a new one begins where the last save was. */
async function stepped(running: Running, worker: RangeWorker): Promise<boolean> {
  try {
    return await worker.step();
  } catch (error) {
    running.problem = error instanceof Error ? error.message : String(error);
    return false;
  }
}

async function lookForLeases(running: Running): Promise<void> {
  const { port, held, seen, owner, now } = running;
  if (held.size === port.ranges.length) return;
  if (running.lookedAtMs !== null && Math.abs(now() - running.lookedAtMs) < LOOK_EVERY_MS) return;
  running.lookedAtMs = now();
  running.problem = null;
  await Promise.all(port.ranges.filter((range) => !held.has(range)).map((range) => look(running, range)));
  // Nothing is taken on a guess: without a look at every range, shares cannot be told.
  while (running.problem === null && seen.size === port.ranges.length) {
    const me = { owner, held: new Set(held.keys()), nowMs: now() };
    const wanted = chooseLease([...seen.values()], me);
    if (wanted === null || !(await take(running, wanted))) return;
  }
}

async function look(running: Running, range: string): Promise<void> {
  const { port, seen, now } = running;
  const found = await port.readLease(range);
  if (isDenial(found)) {
    running.problem = found.message;
    return;
  }
  const before = seen.get(range);
  if (before === undefined || before.etag !== found.etag) seen.set(range, { ...found, sinceMs: now() });
}

async function take(running: Running, { lease, etag }: SeenLease): Promise<boolean> {
  const { port, owner, held, now } = running;
  const { range } = lease;
  const mine = { ...lease, owner, term: lease.term + 1 };
  const taken = await port.saveLease({ lease: mine, etag, keep: [], drop: [] });
  running.seen.delete(range);
  if (taken.kind !== 'saved') return false;
  running.seen.set(range, { kind: 'lease', lease: mine, etag: taken.etag, sinceMs: now() });
  const waiting = await port.readWaiting(range);
  // The lease stays ours, and the next look takes it up again.
  if (isDenial(waiting)) return false;
  held.set(range, createRangeWorker({ port, now, held: { lease: mine, etag: taken.etag }, waiting: waiting.entries }));
  return true;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
