import type { Drift, EntryRef, WaitingEntry } from '#gateway/contract/background.ts';
import { isDenial } from '#gateway/pipeline/denial.ts';
import { eachOf } from '#gateway/store/each-of.ts';
import { attemptEntry } from './attempt-entry.ts';
import type { ChangeReader, FeedPort, Lease } from './feed-port.ts';
import { RangeState, waitingOf } from './range-state.ts';

/** While nothing is new. */
const READ_EVERY_MS = 1_000;
const PAGES_A_STEP = 20;
/** What is open beyond this stays in the feed until there is room. */
const MOST_TRACKED = 50_000;
const ATTEMPTS_A_STEP = 64;
const PARALLEL = 8;
/** No attempt of a step begins later, so that the lease is renewed in time. */
const ATTEMPTS_WITHIN_MS = 2_000;
const SAVE_EVERY_MS = 2_000;
const RENEW_EVERY_MS = 4_000;

export interface HeldLease {
  readonly lease: Lease;
  readonly etag: string;
}

export interface RangeOptions {
  readonly port: FeedPort;
  readonly now: () => number;
  readonly held: HeldLease;
  /** Stored beside the lease. */
  readonly waiting: readonly WaitingEntry[];
}

export interface RangeStatus {
  readonly range: string;
  readonly term: number;
  /** Age of what was read last while there is more; 0 at the end of the feed; null before the first page. */
  readonly lagMs: number | null;
  /** Attempted and not ended. */
  readonly waiting: readonly WaitingEntry[];
  /** Entries that this holder brought to their end. */
  readonly repaired: number;
  /** Why the feed or the lease cannot be read or stored now; null while all is well. */
  readonly problem: string | null;
}

/** Works on one range of the feed for as long as its lease is held. */
export interface RangeWorker {
  /** Reads what is new, applies what is due, stores how far it came. False when the lease is lost. */
  step(): Promise<boolean>;
  /** Whether another step has something to do at once. */
  isBusy(): boolean;
  /** Attempts an entry at the next step, parked or not. */
  tryAgain(ref: EntryRef): void;
  /** Drift that is known of the range. */
  drifts(): readonly WaitingEntry[];
  /** Changes at the next step what is known to differ of an object. */
  changeDrift(pk: string, change: (drift: Drift) => Drift): void;
  status(): RangeStatus;
  /** Stores how far it came and gives the lease back. */
  release(): Promise<void>;
}

interface Running {
  readonly port: FeedPort;
  readonly now: () => number;
  readonly state: RangeState;
  readonly reader: ChangeReader;
  held: HeldLease;
  savedAtMs: number;
  readAtMs: number;
  isEnd: boolean;
  lagMs: number | null;
  repaired: number;
  problem: string | null;
  /** Whether the last save was stored is not known. */
  isUncertain: boolean;
  /** What others asked for: done between steps, so that nothing changes while it is being stored. */
  asked: (() => void)[];
}

export function createRangeWorker({ port, now, held, waiting }: RangeOptions): RangeWorker {
  const { range, position } = held.lease;
  const running: Running = {
    ...{ port, now, held, state: new RangeState(position, waiting), reader: port.openFeed(range, position) },
    ...{
      savedAtMs: now(),
      readAtMs: 0,
      isEnd: false,
      lagMs: null,
      repaired: 0,
      problem: null,
      isUncertain: false,
      asked: [],
    },
  };
  return {
    async step() {
      running.problem = null;
      for (const act of running.asked.splice(0)) act();
      await readNew(running);
      await attemptDue(running);
      return saveWhenDue(running);
    },
    isBusy: () => !running.isEnd || running.asked.length > 0 || running.state.due(now(), 1).length > 0,
    tryAgain: (ref) => void running.asked.push(() => running.state.tryAgain(ref, now())),
    drifts: () => [...running.state.entries()].filter(({ summary }) => summary.kind === 'drift').map(waitingOf),
    changeDrift: (pk, change) => void running.asked.push(() => running.state.changeDrift(pk, change, now())),
    status: () => ({
      ...{ range, term: running.held.lease.term, lagMs: running.lagMs },
      ...{ repaired: running.repaired, problem: running.problem },
      waiting: [...running.state.entries()].filter(({ attempts }) => attempts > 0).map(waitingOf),
    }),
    async release() {
      if (await saveAll(running)) await save(running, null);
    },
  };
}

async function readNew(running: Running): Promise<void> {
  const { state, reader, now } = running;
  if (running.isEnd && now() - running.readAtMs < READ_EVERY_MS) return;
  for (let pages = 0; pages < PAGES_A_STEP && state.size < MOST_TRACKED; pages += 1) {
    const page = await reader.read();
    running.readAtMs = now();
    if (isDenial(page)) {
      running.problem = page.message;
      // Asked again after a pause, as when nothing is new.
      running.isEnd = true;
      return;
    }
    state.take(page, now());
    running.isEnd = page.isEnd;
    running.lagMs = page.isEnd || page.newestMs === null ? 0 : Math.max(0, now() - page.newestMs);
    if (page.isEnd) return;
  }
}

async function attemptDue(running: Running): Promise<void> {
  const { state, now } = running;
  const untilMs = now() + ATTEMPTS_WITHIN_MS;
  await eachOf(state.due(now(), ATTEMPTS_A_STEP), PARALLEL, async (entry) => {
    if (now() < untilMs && (await attemptEntry(running, entry))) running.repaired += 1;
  });
}

async function saveWhenDue(running: Running): Promise<boolean> {
  const { state, now, held } = running;
  const sinceMs = Math.abs(now() - running.savedAtMs);
  const isBehind = state.settled() !== held.lease.position;
  const isDue = state.hasChanges() || (isBehind && sinceMs >= SAVE_EVERY_MS) || sinceMs >= RENEW_EVERY_MS;
  return isDue ? saveAll(running) : true;
}

/** More than a batch takes is stored in several; each moves the position only as far as what is stored allows. */
async function saveAll(running: Running): Promise<boolean> {
  let isMore = true;
  while (isMore) {
    const saved = await save(running, running.held.lease.owner);
    if (saved !== 'saved') return saved === 'later';
    isMore = running.state.hasChanges();
  }
  return true;
}

async function save(running: Running, owner: string | null): Promise<'saved' | 'later' | 'lost'> {
  const { port, state } = running;
  if (running.isUncertain) {
    const again = await lookAgain(running);
    if (again !== 'saved') return again;
  }
  const next = state.nextSave();
  const lease = { ...running.held.lease, owner, position: next.position };
  const keep = next.keep.map(waitingOf);
  const result = await port.saveLease({ lease, etag: running.held.etag, keep, drop: next.drop });
  if (result.kind === 'lost') return 'lost';
  if (isDenial(result)) {
    running.problem = result.message;
    running.isUncertain = true;
    return 'later';
  }
  state.saved(next);
  running.held = { lease, etag: result.etag };
  running.savedAtMs = running.now();
  return 'saved';
}

/** Nobody else writes a lease in its owner's term, so a new etag in that term is of our own save. */
async function lookAgain(running: Running): Promise<'saved' | 'later' | 'lost'> {
  const { range, owner, term } = running.held.lease;
  const found = await running.port.readLease(range);
  if (isDenial(found)) {
    running.problem = found.message;
    return 'later';
  }
  if (found.lease.owner !== owner || found.lease.term !== term || found.etag === null) return 'lost';
  running.held = { ...running.held, etag: found.etag };
  running.isUncertain = false;
  return 'saved';
}
