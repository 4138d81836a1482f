import type { FeedPort } from '#gateway/feed/feed-port.ts';
import { createFeedWorker, type FeedWorker } from '#gateway/feed/worker.ts';
import { createFeedStore, type FeedStore } from '#gateway/store/feed/create-feed-store.ts';
import type { Fixture } from '#test/gateway/store/store-fixture.ts';

export interface TestWorker {
  readonly worker: FeedWorker;
  readonly store: FeedStore;
  close(): Promise<void>;
}

/** A worker over the fixture's feed that only moves when it is ticked. `around` changes what it is given. */
export function openWorker(
  fixture: Fixture,
  options: {
    readonly owner?: string;
    readonly now: () => number;
    readonly endpoint?: string;
    readonly around?: (port: FeedPort) => Partial<FeedPort>;
  },
): TestWorker {
  const { owner = 'gw-a', now, endpoint = fixture.emulator.url, around = () => ({}) } = options;
  const store = createFeedStore({
    endpoint,
    reach: () => endpoint,
    credential: { kind: 'key', key: fixture.emulator.key },
    content: fixture.content,
    clock: { now },
  });
  const worker = createFeedWorker({ port: { ...store, ...around(store) }, owner, now });
  return { worker, store, close: () => store.close() };
}

/** A clock that only moves when told. */
export function createClock(startMs = Date.now()) {
  let nowMs = startMs;
  return {
    now: () => nowMs,
    pass(ms: number) {
      nowMs += ms;
    },
  };
}
