import { ConsoleAway, ReleaseRejected } from '#gateway/release/release-rejected.ts';
import type { LoadedRelease, ReleaseSource } from '#gateway/release/source.ts';
import { type AskedThread, startAskedThread } from './ask-thread.ts';
import type { FromReleases, ReleasesStart, ToReleases } from './messages.ts';

const RESTART_AFTER_MS = 1_000;

/** The main thread's side of the release thread. */
export interface ReleaseHost extends ReleaseSource {
  stop(): Promise<void>;
}

type Thread = AskedThread<ToReleases, FromReleases>;

/** Starts the release thread. One that dies is started again; what was asked of it fails as if the console were away. */
export function startReleaseHost(workerData: ReleasesStart, say: (sentence: string) => void): ReleaseHost {
  let stopping = false;
  let restart: NodeJS.Timeout | undefined;
  const start = (): Thread =>
    startAskedThread(new URL('./release-thread.ts', import.meta.url), {
      workerData,
      onExit: () => {
        if (stopping) return;
        say('The release thread stopped; it starts again.');
        restart = setTimeout(() => {
          thread = start();
        }, RESTART_AFTER_MS);
      },
    });
  let thread = start();
  const ask = async (message: ToReleases): Promise<LoadedRelease | null> => {
    const answer = await thread.ask(message).catch((error: Error) => {
      throw new ConsoleAway(error.message);
    });
    switch (answer.kind) {
      case 'release':
        return answer.release;
      case 'done':
        return null;
      case 'away':
        throw new ConsoleAway(answer.message);
      case 'rejected':
        throw new ReleaseRejected(answer.message);
      case 'failed':
        throw new Error(answer.message);
    }
  };
  return {
    fetch: async (sha256) => {
      const release = await ask({ kind: 'fetch', sha256 });
      if (release === null) throw new Error('The release thread gave no release.');
      return release;
    },
    kept: () => ask({ kind: 'kept' }),
    keep: async (sha256) => void (await ask({ kind: 'keep', sha256 })),
    stop: async () => {
      stopping = true;
      clearTimeout(restart);
      await thread.worker.terminate();
    },
  };
}
