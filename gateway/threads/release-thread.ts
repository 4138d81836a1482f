import { parentPort, workerData } from 'node:worker_threads';
import { createLocalJWKSet } from 'jose';
import { createConsoleClient } from '#gateway/release/console-client.ts';
import { createLastGood } from '#gateway/release/last-good.ts';
import { ConsoleAway, ReleaseRejected } from '#gateway/release/release-rejected.ts';
import { createReleaseSource } from '#gateway/release/source.ts';
import type { FromReleases, Numbered, ReleasesStart, ToReleases } from './messages.ts';

/**
 * The thread that fetches, checks and lays out releases, so that neither a serving thread nor the one that routes their
 * questions ever parses one. It answers one question after the other.
 */
const { env, dir }: ReleasesStart = workerData;
const source = createReleaseSource({
  client: createConsoleClient({ consoleUrl: env.consoleUrl, gateway: env.name, token: env.token }),
  trust: createLocalJWKSet({ keys: [...env.trust.keys] }),
  lastGood: createLastGood(dir),
  nowMs: () => performance.now(),
});

async function answer(message: ToReleases): Promise<FromReleases> {
  try {
    if (message.kind === 'fetch') return { kind: 'release', release: await source.fetch(message.sha256) };
    if (message.kind === 'kept') return { kind: 'release', release: await source.kept() };
    await source.keep(message.sha256);
    return { kind: 'done' };
  } catch (error) {
    const kind = error instanceof ReleaseRejected ? 'rejected' : error instanceof ConsoleAway ? 'away' : 'failed';
    return { kind, message: error instanceof Error ? error.message : String(error) };
  }
}

let turn: Promise<void> = Promise.resolve();
parentPort?.on('message', ({ id, message }: Numbered<ToReleases>) => {
  turn = turn.then(async () => {
    parentPort?.postMessage({ id, message: await answer(message) } satisfies Numbered<FromReleases>);
  });
});
