import { Worker } from 'node:worker_threads';
import type { Store } from './open-store.ts';

/** Keeps the write-ahead log short, nearly always without the serving thread. */
export interface Checkpointer {
  /** Counts written requests; starts a checkpoint when enough have gathered. */
  noteWrites(requests: number): void;
  /** The log is not started over until what this returns is called: someone reads an older part of it. */
  hold(): () => void;
  close(): Promise<void>;
}

export interface CheckpointerOptions {
  readonly onFatal: (error: Error) => void;
  readonly writesPerCheckpoint?: number;
  /** Pages of log (8 KB each) above which the log is started anew. */
  readonly maxLogPages?: number;
  readonly onRestart?: () => void;
  /** The log has grown past `maxHeldLogPages` while it was held. */
  readonly onHeldTooLong?: () => void;
  readonly maxHeldLogPages?: number;
}

const WRITES_PER_CHECKPOINT = 2_000;
const MAX_LOG_PAGES = 16_384;
/** 2 GB. */
const MAX_HELD_LOG_PAGES = 262_144;

export function startCheckpointer(store: Store, options: CheckpointerOptions): Checkpointer {
  const { writesPerCheckpoint = WRITES_PER_CHECKPOINT, maxLogPages = MAX_LOG_PAGES } = options;
  let worker: Worker | undefined;
  const maxHeldLogPages = options.maxHeldLogPages ?? MAX_HELD_LOG_PAGES;
  let holders = 0;
  let running = false;
  let written = 0;

  function run(): void {
    worker ??= startWorker();
    running = true;
    written = 0;
    worker.postMessage('checkpoint');
  }

  function startWorker(): Worker {
    const started = new Worker(new URL('./checkpoint-worker.ts', import.meta.url), { workerData: store.databasePath });
    started.unref();
    started.on('message', onDone);
    started.on('error', options.onFatal);
    return started;
  }

  function onDone(logPages: number): void {
    running = false;
    if (worker === undefined || logPages < maxLogPages) return;
    if (holders > 0) {
      // It would wait for the readers of older parts, on the serving thread.
      if (logPages >= maxHeldLogPages) options.onHeldTooLong?.();
      return;
    }
    // Under steady writes the thread never catches up with the end of the log, and only a log that is all moved
    // starts over. The little that is left is moved here, where no write can come between.
    store.db.exec('PRAGMA wal_checkpoint(RESTART)');
    options.onRestart?.();
  }

  return {
    noteWrites(requests) {
      written += requests;
      if (!running && written >= writesPerCheckpoint) run();
    },
    hold() {
      holders += 1;
      return () => {
        holders -= 1;
      };
    },
    async close() {
      if (worker === undefined) return;
      const stopping = worker;
      worker = undefined;
      // A program that has nothing else to wait for must wait for this.
      stopping.ref();
      const exited = new Promise<void>((resolve) => stopping.once('exit', () => resolve()));
      stopping.postMessage('close');
      await exited;
    },
  };
}
