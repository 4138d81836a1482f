import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BulkOperationType, CosmosClient } from '@azure/cosmos';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createContent } from '#gateway/content/create-content.ts';
import type { ChangeReader, FeedPort } from '#gateway/feed/feed-port.ts';
import { createFeedWorker, type FeedWorker } from '#gateway/feed/worker.ts';
import { isDenial } from '#gateway/pipeline/denial.ts';
import { createFeedStore, type FeedStore } from '#gateway/store/feed/create-feed-store.ts';
import { eventually } from '#test/gateway/fixtures/eventually.ts';
import { ACCOUNT, startTwoRegions, type TwoRegions } from '#test/gateway/store/regions/two-regions.ts';
import { idOf, keyOf, memberOf, members, newCall, servedBy } from '#test/gateway/store/store-fixture.ts';
import { partitionOf } from '#test/gateway/store/stored-items.ts';

/** A page of the feed has 1,000 items: so each range has several. */
const ITEMS = 4_400;

let world: TwoRegions;
let dir = '';
let store: FeedStore;
let worker: FeedWorker;
let aheadMs = 0;
const now = () => Date.now() + aheadMs;
/** Pages that were read so far, over all ranges, those of them that held something, and what happens after so many. */
let pages = 0;
let fullPages = 0;
let happenings: { readonly after: number; readonly happen: () => void }[] = [];

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'habitat-feed-outage-'));
  world = await startTwoRegions();
  pages = 0;
  fullPages = 0;
  happenings = [];
  const content = createContent({ keysDir: join(dir, 'keys'), now });
  const credential = { kind: 'key', key: world.emulator.key } as const;
  store = createFeedStore({ endpoint: world.url.East, credential, content, clock: { now } }, { mirrored: () => [] });
  const port: FeedPort = { ...store, openFeed: (...on) => interrupted(store.openFeed(...on)) };
  worker = createFeedWorker({ port, owner: 'gw-a', now });
});
afterEach(async () => {
  world.emulator.faults.clear();
  await worker.stop();
  await store.close();
  await world.stop();
  rmSync(dir, { recursive: true, force: true });
});

function interrupted(reader: ChangeReader): ChangeReader {
  return {
    async read() {
      const page = await reader.read();
      pages += 1;
      if (!isDenial(page) && page.newestMs !== null) fullPages += 1;
      for (const { happen } of happenings.filter(({ after }) => after === pages)) happen();
      return page;
    },
  };
}

const gateway = () => world.open({ clock: { now } });

/** Edges whose inverses are left in the outbox. */
async function leaveBehind(names: readonly string[]): Promise<void> {
  const through = gateway();
  for (const name of names) {
    const partition = partitionOf(keyOf('Conversation', name));
    world.emulator.faults.add({ partition, operations: ['batch'], effect: { kind: 'batchStatus', status: 413 } });
    const edge = { from: keyOf('User', `u-${name}`), rule: memberOf, toId: idOf(name) };
    await servedBy(through.putEdge(edge, { timeMs: 1, data: null }, newCall({ deadlineAtMs: now() + 30_000 })));
  }
  world.emulator.faults.clear();
}

/** Items that are nobody's, so that what was left behind lies on different pages. */
async function fill(name: string): Promise<void> {
  const client = new CosmosClient({ endpoint: world.url.East, key: world.emulator.key });
  const operations = Array.from({ length: ITEMS }, (_, at) => ({
    operationType: BulkOperationType.Create,
    partitionKey: `chat|Noise|${name}-${at % 500}`,
    resourceBody: { id: `i~${at}`, pk: `chat|Noise|${name}-${at % 500}` },
  }));
  await client.database('habitat').container('main').items.executeBulkOperations(operations);
  client.dispose();
}

async function inverseOf(name: string): Promise<number> {
  const of = { from: keyOf('Conversation', name), rule: members };
  return servedBy(gateway().countEdges(of, newCall({ consistency: 'critical', deadlineAtMs: now() + 30_000 })));
}

async function applied(names: readonly string[]): Promise<void> {
  await eventually(
    `the inverses of ${names.join(', ')} are written`,
    async () => {
      await worker.tick();
      const counts = await Promise.all(names.map(inverseOf));
      aheadMs += 1_000;
      return counts.every((count) => count === 1);
    },
    120_000,
  );
}

const named = (prefix: string) => Array.from({ length: 8 }, (_, at) => `${prefix}-${at}`);

it('a failover in the middle of the feed loses no change, and reading goes on where it was', async () => {
  await leaveBehind(named('before'));
  await fill('noise');
  await leaveBehind(named('behind'));
  happenings = [{ after: 3, happen: () => world.emulator.failover(ACCOUNT, 'West') }];
  await applied([...named('before'), ...named('behind')]);
  expect(fullPages).toBeGreaterThan(4);
  await leaveBehind(named('after'));
  world.emulator.failover(ACCOUNT, 'East');
  await leaveBehind(named('back'));
  await applied([...named('after'), ...named('back')]);
});

it('connections that are refused in the middle of the feed lose no change, and a reader of the next term resumes', async () => {
  await leaveBehind(named('before'));
  await fill('noise');
  await leaveBehind(named('behind'));
  const refuse = () => {
    for (const region of ['East', 'West'] as const) world.fault(region, { kind: 'refuse' });
  };
  happenings = [{ after: 4, happen: refuse }];
  await eventually(
    'a range says that it cannot be read',
    async () => {
      await worker.tick();
      aheadMs += 1_000;
      return worker.ranges().some(({ problem }) => problem !== null);
    },
    120_000,
  );
  expect(pages).toBeGreaterThanOrEqual(4);
  world.emulator.faults.clear();
  aheadMs += 60_000;
  await applied([...named('before'), ...named('behind')]);
  await worker.stop();
  const readByNow = fullPages;
  await leaveBehind(named('later'));
  const port: FeedPort = { ...store, openFeed: (...on) => interrupted(store.openFeed(...on)) };
  worker = createFeedWorker({ port, owner: 'gw-b', now });
  await applied(named('later'));
  // From the stored positions: everything is not read again.
  expect(fullPages - readByNow).toBeLessThan(readByNow);
});
