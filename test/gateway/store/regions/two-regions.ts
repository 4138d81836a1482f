import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createContent } from '#gateway/content/create-content.ts';
import type { FaultEffect, NewFault } from '#gateway/contract/local-cosmos.ts';
import type { EmulatorOptions } from '#gateway/emulator/options.ts';
import { type RunningEmulator, startEmulator } from '#gateway/emulator/start.ts';
import { createStore, type Store, type StoreOptions } from '#gateway/store/create-store.ts';

/** An account with the regions East, which takes the writes, and West; stores prefer West unless told. */
export interface TwoRegions {
  readonly emulator: RunningEmulator;
  readonly url: { readonly East: string; readonly West: string };
  open(options?: Partial<StoreOptions>): Store;
  /** Switches a fault on in one region; everything it meets unless `more` says which. */
  fault(region: 'East' | 'West', effect: FaultEffect, more?: Partial<NewFault>): void;
  stop(): Promise<void>;
}

export const ACCOUNT = 'habitat-local';

export async function startTwoRegions(options: Partial<EmulatorOptions> = {}): Promise<TwoRegions> {
  const root = await mkdtemp(join(tmpdir(), 'habitat-regions-'));
  const regions = [
    { name: 'East', port: 0 },
    { name: 'West', port: 0 },
  ];
  const accounts = [{ name: ACCOUNT, regions, partitionRuPerSecond: null }];
  const emulator = await startEmulator({ dir: join(root, 'cosmos'), accounts, ...options });
  const content = createContent({ keysDir: join(root, 'keys'), now: Date.now });
  const [east, west] = emulator.accounts[0]?.regions ?? [];
  if (east === undefined || west === undefined) throw new Error('The endpoint has too few regions.');
  const opened: Store[] = [];
  return {
    emulator,
    url: { East: east.url, West: west.url },
    open(change = {}) {
      const store = createStore({
        endpoint: east.url,
        credential: { kind: 'key', key: emulator.key },
        preferredRegions: ['West'],
        content,
        clock: { now: Date.now },
        ...change,
      });
      opened.push(store);
      return store;
    },
    fault(region, effect, more = {}) {
      emulator.faults.add({ account: ACCOUNT, region, percent: 100, effect, ...more });
    },
    async stop() {
      await Promise.all(opened.map((store) => store.close()));
      await emulator.close();
      await rm(root, { recursive: true, force: true });
    },
  };
}
