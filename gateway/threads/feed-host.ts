import { Worker } from 'node:worker_threads';
import type { FeedRelease, FeedStart, FromFeed, ToFeed } from './feed-messages.ts';

const RESTART_AFTER_MS = 1_000;
const LONGEST_RESTART_MS = 30_000;
/** A thread that ran this long failed by itself, not at its start. */
const HEALTHY_MS = 60_000;
/** Leases that could not be given back run out by themselves. */
const DRAIN_WITHIN_MS = 8_000;

export interface FeedHostOptions extends FeedStart {
  readonly nowMs: () => number;
  readonly say: (sentence: string) => void;
  onMessage(message: Exclude<FromFeed, { kind: 'gauges' | 'drained' }>): void;
}

/** The main thread's side of the thread that works on the change feed. */
export interface FeedHost {
  /** Starts the thread: once the gateway serves, which must not wait for it. */
  start(): void;
  /** The gateway serves this release now. */
  use(release: FeedRelease): void;
  /** As of its last report, a second old at most; empty before the first. */
  gauges(): Readonly<Record<string, number>>;
  /** Ends what is under way and gives the leases back. */
  drain(): Promise<void>;
}

/** Keeps the thread running: one that dies is started again, and goes on where its leases say. */
export function createFeedHost(options: FeedHostOptions): FeedHost {
  const { nowMs, say, onMessage, env, storeMemory, owner } = options;
  let gauges: Readonly<Record<string, number>> = {};
  let isStopping = false;
  let failures = 0;
  let drained = Promise.withResolvers<void>();

  let thread: Worker | null = null;
  let release: FeedRelease | null = null;
  const tell = () => {
    if (release !== null) thread?.postMessage({ kind: 'release', release } satisfies ToFeed);
  };

  const startThread = (): Worker => {
    const startedMs = nowMs();
    let reason = 'it ended';
    const workerData: FeedStart = { env, storeMemory, owner };
    const worker = new Worker(new URL('./feed-thread.ts', import.meta.url), { workerData });
    worker.on('message', (message: FromFeed) => {
      if (message.kind === 'gauges') gauges = message.gauges;
      else if (message.kind === 'drained') drained.resolve();
      else onMessage(message);
    });
    worker.on('error', (error) => {
      reason = error.message;
    });
    worker.on('exit', () => {
      drained.resolve();
      gauges = {};
      if (isStopping) return;
      failures = nowMs() - startedMs > HEALTHY_MS ? 0 : failures + 1;
      say(`The thread of background work stopped (${reason}); it starts again.`);
      setTimeout(again, Math.min(RESTART_AFTER_MS * 2 ** failures, LONGEST_RESTART_MS));
    });
    return worker;
  };
  const again = () => {
    if (isStopping) return;
    drained = Promise.withResolvers<void>();
    thread = startThread();
    tell();
  };
  return {
    start: again,
    use({ id, sha256, table }) {
      release = { id, sha256, table };
      tell();
    },
    gauges: () => gauges,
    async drain() {
      isStopping = true;
      if (thread === null) return;
      thread.postMessage({ kind: 'drain' } satisfies ToFeed);
      const timer = setTimeout(() => drained.resolve(), DRAIN_WITHIN_MS);
      await drained.promise;
      clearTimeout(timer);
      await thread.terminate();
    },
  };
}
