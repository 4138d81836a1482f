import { rmSync } from 'node:fs';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Catalog, openCatalog } from '#gateway/emulator/catalog/catalog.ts';
import type { Endpoint } from '#gateway/emulator/endpoint.ts';
import { type LagView, openLagView } from '#gateway/emulator/regions/lag-view.ts';
import { openSnapshot } from '#gateway/emulator/store/open-snapshot.ts';
import { openStore, type Store } from '#gateway/emulator/store/open-store.ts';
import { newFolder } from '#test/gateway/emulator/with-emulator.ts';

let dir: string;
let store: Store;
let catalog: Catalog;
let opened: number;
beforeEach(() => {
  dir = newFolder();
  store = openStore(dir);
  catalog = openCatalog(store);
  opened = 0;
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  store.close();
  rmSync(dir, { recursive: true });
});

function viewOf(lagMs: number | null): LagView {
  const endpoint = { store, catalog, nowMs: Date.now } as unknown as Endpoint;
  return openLagView({
    endpoint,
    lagMs,
    openSnapshot() {
      opened += 1;
      return openSnapshot(store.databasePath);
    },
  });
}

/** Every commit is a database whose name is its moment, so that a view tells how old it is. */
const commit = (): void => void catalog.createDatabase(String(Date.now()), 0);
const newest = (view: LagView): number =>
  Math.max(
    0,
    ...view
      .endpoint()
      .catalog.listDatabases()
      .map(({ id }) => Number(id)),
  );

it('is between the lag and 1.25 of it behind, and never goes back', () => {
  commit();
  const startMs = Date.now();
  const view = viewOf(1_000);
  let before = 0;
  for (let elapsedMs = 10; elapsedMs <= 5_000; elapsedMs += 10) {
    vi.advanceTimersByTime(10);
    const seen = newest(view);
    expect(seen).toBeGreaterThanOrEqual(before);
    // A commit every 10 ms, so that what is newest in the view is at most 10 ms older than the view.
    if (elapsedMs < 1_000) expect(seen).toBe(startMs);
    else expect(Date.now() - seen).toBeGreaterThanOrEqual(1_000);
    if (elapsedMs >= 1_250) expect(Date.now() - seen).toBeLessThanOrEqual(1_260);
    before = seen;
    commit();
  }
  // Snapshots are used anew: there are never more than the quarters of one lag and what is shown.
  expect(opened).toBeLessThanOrEqual(7);
  view.close();
});

it('without an end is the moment at which it began', () => {
  commit();
  const view = viewOf(null);
  const startMs = Date.now();
  vi.advanceTimersByTime(60_000);
  commit();
  expect(newest(view)).toBe(startMs);
  expect(opened).toBe(1);
  view.close();
});

it('after the process stood still shows the newest that is old enough', () => {
  const view = viewOf(400);
  vi.advanceTimersByTime(2_000);
  commit();
  const startMs = Date.now();
  // The clock runs on and no timer fires.
  vi.setSystemTime(startMs + 10_000);
  expect(newest(view)).toBe(0);
  vi.advanceTimersByTime(600);
  expect(newest(view)).toBe(startMs);
  view.close();
});
