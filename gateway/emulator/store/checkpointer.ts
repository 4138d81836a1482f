import { Worker } from 'node:worker_threads';

/** Keeps the write-ahead log short without ever blocking the serving thread. */
export interface Checkpointer {
  /** Counts written requests; starts a checkpoint when enough have gathered. */
  noteWrites(requests: number): void;
  close(): Promise<void>;
}

const WRITES_PER_CHECKPOINT = 2_000;

export function startCheckpointer(databasePath: string, onFatal: (error: Error) => void): Checkpointer {
  let worker: Worker | undefined;
  let running = false;
  let written = 0;

  function run(): void {
    worker ??= startWorker();
    running = true;
    written = 0;
    worker.postMessage('checkpoint');
  }

  function startWorker(): Worker {
    const started = new Worker(new URL('./checkpoint-worker.ts', import.meta.url), { workerData: databasePath });
    started.unref();
    started.on('message', () => {
      running = false;
    });
    started.on('error', onFatal);
    return started;
  }

  return {
    noteWrites(requests) {
      written += requests;
      if (!running && written >= WRITES_PER_CHECKPOINT) run();
    },
    async close() {
      if (worker === undefined) return;
      const stopping = worker;
      worker = undefined;
      const exited = new Promise<void>((resolve) => stopping.once('exit', () => resolve()));
      stopping.postMessage('close');
      await exited;
    },
  };
}
