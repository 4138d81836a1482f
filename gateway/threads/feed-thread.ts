import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { createContent } from '#gateway/content/create-content.ts';
import { openWrapping } from '#gateway/content/keys/open-wrapping.ts';
import { createCounting } from '#gateway/feed/counting.ts';
import { feedGauges } from '#gateway/feed/gauges.ts';
import { createReporting } from '#gateway/feed/report.ts';
import { createFeedWorker } from '#gateway/feed/worker.ts';
import type { Indexes } from '#gateway/pipeline/indexes.ts';
import { buildIndexes } from '#gateway/release/build-indexes.ts';
import { createConsoleClient } from '#gateway/release/console-client.ts';
import { createFeedStore } from '#gateway/store/feed/create-feed-store.ts';
import type { FeedStart, FromFeed, ToFeed } from './feed-messages.ts';

const REPORT_EVERY_MS = 1_000;

/**
 * Entry of the thread that works on the change feed: inverse edges and sweeps that a gateway left behind. A thread of its
 * own, since reading every write of the fleet would cost serving threads their latency. Its clock is read here.
 */
async function main(): Promise<void> {
  if (parentPort === null) throw new Error('This file runs as a worker thread of the gateway.');
  const port = parentPort;
  const { env, storeMemory: memory, owner }: FeedStart = workerData;
  const now = () => Date.now();
  const send = (message: FromFeed) => port.postMessage(message);
  const content = createContent({
    ...{ keysDir: env.keysDir, wrapping: openWrapping(env, now), now },
    say: (sentence) => send({ kind: 'say', sentence }),
  });
  let indexes: Indexes | null = null;
  const rules = { mirrored: (type: string) => indexes?.objectTypes.get(type)?.mirrored ?? [] };
  const store = createFeedStore({ ...env.cosmos, memory, content, clock: { now } }, rules);
  const worker = createFeedWorker({ port: store, owner, now });
  const client = createConsoleClient({ consoleUrl: env.consoleUrl, gateway: env.name, token: env.token });
  const counting = createCounting({ worker, store, now, random: Math.random, pause: (ms) => pause(ms) });
  const reporting = createReporting({ worker, client, stored: counting.newest, now });
  const report = () => {
    // Without a release nothing tells which edges have an inverse.
    if (indexes !== null) void counting.tick();
    void reporting.tick();
    content.dropStaleKeys();
    const sealed = content.drainSealed();
    if (sealed.length > 0) send({ kind: 'sealed', batch: sealed });
    send({ kind: 'gauges', gauges: feedGauges(worker, store.usedRu()) });
    const problem = worker.problem();
    if (problem !== null) send({ kind: 'say', sentence: `Background work cannot go on: ${problem}` });
  };
  const timer = setInterval(report, REPORT_EVERY_MS);
  port.on('message', (message: ToFeed) => {
    if (message.kind === 'drain') void drain();
    // The table is all that is read of it; places in the quota table are not.
    else indexes = buildIndexes(message.release, new Int32Array(0));
  });
  const drain = async () => {
    clearInterval(timer);
    await worker.stop();
    report();
    await store.close();
    send({ kind: 'drained' });
  };
  await worker.run();
}

await main();
