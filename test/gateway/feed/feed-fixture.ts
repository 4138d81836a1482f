import type { FeedPort } from '#gateway/feed/feed-port.ts';
import { createFeedWorker, type FeedWorker } from '#gateway/feed/worker.ts';
import type { EdgeRule } from '#gateway/pipeline/store-port.ts';
import { createFeedStore, type FeedStore } from '#gateway/store/feed/create-feed-store.ts';
import { author, authored, type Fixture, memberOf, members } from '#test/gateway/store/store-fixture.ts';

/** Mirrored edge types by the object type that they start at. */
const MIRRORED: Readonly<Record<string, readonly EdgeRule[]>> = {
  User: [memberOf, authored],
  Conversation: [members],
  Message: [author],
};

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
  const credential = { kind: 'key', key: fixture.emulator.key } as const;
  const place = { endpoint, reach: () => endpoint, credential, content: fixture.content, clock: { now } };
  const store = createFeedStore(place, { mirrored: (type) => MIRRORED[type] ?? [] });
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
