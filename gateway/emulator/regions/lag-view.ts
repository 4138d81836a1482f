import { openCatalog } from '#gateway/emulator/catalog/catalog.ts';
import type { Endpoint } from '#gateway/emulator/endpoint.ts';
import type { Snapshot } from '#gateway/emulator/store/open-snapshot.ts';

/** What a region or a replica sees that is behind: an account as it was committed some time ago. */
export interface LagView {
  endpoint(): Endpoint;
  close(): void;
}

export interface LagViewOptions {
  /** The account as it is now. */
  readonly endpoint: Endpoint;
  /** Null holds on to the present for ever. */
  readonly lagMs: number | null;
  readonly openSnapshot: () => Snapshot;
}

interface Taken {
  readonly snapshot: Snapshot;
  readonly endpoint: Endpoint;
  readonly takenMs: number;
}

const SHORTEST_STEP_MS = 5;

/**
 * Takes a snapshot every quarter of the lag and shows the newest that is old enough, so that the view is between the
 * lag and 1.25 of it behind. Until the first is old enough it shows that one: the view stands still when the lag begins,
 * and never goes back. Nothing is copied: a snapshot is a read transaction over the write-ahead log.
 */
export function openLagView({ endpoint, lagMs, openSnapshot }: LagViewOptions): LagView {
  const first = take(openSnapshot());
  let taken: readonly Taken[] = [first];
  const stepping = lagMs === null ? undefined : setInterval(step, Math.max(SHORTEST_STEP_MS, Math.floor(lagMs / 4)));
  stepping?.unref();

  function take(snapshot: Snapshot): Taken {
    snapshot.pin();
    const { store } = snapshot;
    return { snapshot, takenMs: endpoint.nowMs(), endpoint: { ...endpoint, store, catalog: openCatalog(store) } };
  }

  function shown(): Taken {
    if (lagMs === null) return first;
    const dueMs = endpoint.nowMs() - lagMs;
    return taken.findLast(({ takenMs }) => takenMs <= dueMs) ?? taken[0] ?? first;
  }

  /** Those before the one that is shown will never be shown again, so the oldest of them is used anew. */
  function step(): void {
    const [oldest] = taken;
    const reused = oldest === undefined || oldest === shown() ? undefined : oldest;
    const kept = taken.filter((entry) => entry !== reused);
    taken = [...kept, take(reused?.snapshot ?? openSnapshot())];
  }

  return {
    endpoint: () => shown().endpoint,
    close() {
      clearInterval(stepping);
      for (const { snapshot } of taken) snapshot.close();
    },
  };
}
