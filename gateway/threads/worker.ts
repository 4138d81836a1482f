import { parentPort, workerData } from 'node:worker_threads';
import { buildIndexes } from '#gateway/release/build-indexes.ts';
import { type Serving, wire } from '#gateway/wire.ts';
import { createLink, type Link } from './link.ts';
import type { ReleaseMessage, WorkerStart } from './messages.ts';

/** Entry of one serving thread. The clocks of the process are read here and nowhere below. */
async function main(): Promise<void> {
  if (parentPort === null) throw new Error('This file runs as a worker thread of the gateway.');
  const start: WorkerStart = workerData;
  const clock = { nowMs: () => Date.now(), nowUs: () => performance.now() * 1_000 };
  const early: ReleaseMessage[] = [];
  let serving: Serving | null = null;
  const link: Link = createLink(parentPort, {
    onRelease: (message) => {
      if (serving === null) early.push(message);
      else swap(message, { serving, link });
    },
    onDrain: () => void (serving === null ? process.exit(0) : leave(serving, link)),
  });
  serving = await wire(start, link, clock);
  for (const message of early) swap(message, { serving, link });
  link.send({ kind: 'listening', port: serving.port });
}

/** Opens the release first; then one assignment makes it current. */
function swap(message: ReleaseMessage, { serving, link }: { serving: Serving; link: Link }): void {
  const { sha256, slots } = message;
  try {
    serving.serve(buildIndexes(message, slots));
    link.send({ kind: 'swapped', sha256, problem: null });
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    link.send({ kind: 'swapped', sha256, problem });
  }
}

async function leave(serving: Serving, link: Link): Promise<void> {
  await serving.drain();
  link.send({ kind: 'drained' });
}

await main();
