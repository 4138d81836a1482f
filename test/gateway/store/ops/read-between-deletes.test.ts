import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Store } from '#gateway/store/create-store.ts';
import { loadEdges } from '#test/gateway/store/load-edges.ts';
import {
  type Fixture,
  keyOf,
  members,
  messages,
  newCall,
  servedBy,
  startFixture,
} from '#test/gateway/store/store-fixture.ts';
import { itemsOf } from '#test/gateway/store/stored-items.ts';
import { type FaultyProxy, startFaultyProxy } from '#test/support/faulty-proxy.ts';

let fixture: Fixture;
let proxy: FaultyProxy;
/** Its requests are held on their way. */
let reader: Store;
beforeAll(async () => {
  fixture = await startFixture();
  proxy = await startFaultyProxy(fixture.emulator.url);
  reader = fixture.another(proxy.url);
});
afterAll(async () => {
  await proxy.close();
  await fixture.stop();
});

/** More than one delete sweeps before it answers. */
const EDGES = 300;
const edge = { from: keyOf('Conversation', 'overtaken'), rule: messages };
const LIST = { limit: 1_000, afterS: null, afterMs: null, beforeMs: null };

const remove = async () => servedBy(fixture.store.deleteObject(edge.from, { ifMatch: null, mirrored: [] }, newCall()));

it('a list that is overtaken by a delete and the whole of its sweep shows no part of the edges', async () => {
  // The first request makes the container.
  expect(await servedBy(fixture.store.countEdges(edge, newCall()))).toBe(0);
  const targets = Array.from({ length: EDGES }, (_, index) => `m${index}`);
  await loadEdges(fixture.emulator, { from: 'overtaken', edgeType: 'messages', targets, timeOf: () => 1 });

  const begun = Promise.withResolvers<void>();
  const swept = { partly: Promise.withResolvers<void>(), whole: Promise.withResolvers<void>() };
  const queried = Promise.withResolvers<void>();
  let queries = 0;
  proxy.decide(({ isQuery, path, method }) => {
    if (isQuery) {
      queries += 1;
      begun.resolve();
      return { kind: 'hold', until: swept.partly.promise };
    }
    const isHead = method === 'GET' && path.endsWith('/docs/h');
    if (!isHead || queries === 0) return { kind: 'pass' };
    queried.resolve();
    return { kind: 'hold', until: swept.whole.promise };
  });
  const listing = reader.listEdges(edge, LIST, newCall({ deadlineAtMs: Date.now() + 30_000 }));
  await begun.promise;
  // A turn of the sweep at least, on a slow machine too; one delete takes fewer than all.
  let left = EDGES;
  while (left === EDGES) {
    expect((await remove()).sweeping).toBe(true);
    const items = await itemsOf(fixture.emulator, edge.from);
    left = items.filter(({ id, dead }) => id.startsWith('e~') && dead !== true).length;
  }
  expect(left).toBeGreaterThan(0);
  swept.partly.resolve();
  await queried.promise;
  await expect.poll(async () => (await remove()).sweeping, { timeout: 30_000 }).toBe(false);
  swept.whole.resolve();
  expect((await servedBy(listing)).edges).toEqual([]);
  expect(queries).toBe(2);
}, 60_000);

it('a list of an inverse type where nothing ever had an edge ends after one look at either side of it', async () => {
  const call = newCall();
  const nobody = { from: keyOf('Conversation', 'nobody'), rule: members };
  expect((await servedBy(fixture.store.listEdges(nobody, LIST, call))).edges).toEqual([]);
  expect(call.attempts.length).toBe(3);
});
