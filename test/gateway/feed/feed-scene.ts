import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { WaitingEntry } from '#gateway/contract/background.ts';
import type { EdgeRule, ObjectKey } from '#gateway/pipeline/store-port.ts';
import { type Fixture, idOf, newCall, servedBy, startFixture } from '#test/gateway/store/store-fixture.ts';
import { itemsOf, partitionOf } from '#test/gateway/store/stored-items.ts';
import { type FaultyProxy, startFaultyProxy } from '#test/support/faulty-proxy.ts';
import { openWorker, type TestWorker } from './feed-fixture.ts';

export const LIST = { limit: 100, afterS: null, afterMs: null, beforeMs: null };

/** A store with workers over its feed, and a proxy that a gateway can be put behind. Call it at the top of a test file. */
export function openScene() {
  let fixture: Fixture;
  let proxy: FaultyProxy;
  let workers: TestWorker[] = [];
  beforeAll(async () => {
    fixture = await startFixture();
    proxy = await startFaultyProxy(fixture.emulator.url);
  });
  afterEach(async () => {
    proxy.decide(() => ({ kind: 'pass' }));
    await fixture.emulator.faults.clear();
    // Leases go back, so that the next test's worker need not wait for them.
    for (const { worker, close } of workers) await worker.stop().then(close);
    workers = [];
  });
  afterAll(async () => {
    await proxy.close();
    await fixture.stop();
  });
  return {
    fixture: () => fixture,
    proxy: () => proxy,
    open(options: Parameters<typeof openWorker>[1], over: Partial<Fixture> = {}): TestWorker {
      const opened = openWorker({ ...fixture, ...over }, options);
      workers.push(opened);
      return opened;
    },
    /** Target ids of a list, which has as many edges as its count says. */
    async targetsOf(from: ObjectKey, rule: EdgeRule): Promise<string[]> {
      const { edges } = await servedBy(fixture.store.listEdges({ from, rule }, LIST, newCall()));
      expect(await servedBy(fixture.store.countEdges({ from, rule }, newCall()))).toBe(edges.length);
      return edges.map(({ toId }) => toId).sort();
    },
    put(from: ObjectKey, rule: EdgeRule, toId: string, timeMs = 1) {
      return servedBy(fixture.store.putEdge({ from, rule, toId: idOf(toId) }, { timeMs, data: null }, newCall()));
    },
    /** Writes as a gateway does that dies before the inverses of `targets` are written. */
    async leaveBehind(targets: readonly ObjectKey[], write: () => Promise<unknown>): Promise<void> {
      for (const target of targets) {
        const effect = { kind: 'batchStatus', status: 413 } as const;
        fixture.emulator.faults.add({ partition: partitionOf(target), operations: ['batch'], effect });
      }
      await write();
      await fixture.emulator.faults.clear();
    },
    async openEntriesOf(key: ObjectKey): Promise<string[]> {
      const items = await itemsOf(fixture.emulator, key);
      return items.filter((item) => item.id.startsWith('x~') && item.done !== true).map(({ id }) => id);
    },
  };
}

export const waitingIn = ({ worker }: TestWorker): WaitingEntry[] => worker.ranges().flatMap(({ waiting }) => waiting);
