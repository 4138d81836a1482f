import type { Endpoint } from '#gateway/emulator/endpoint.ts';
import type { Checkpointer } from '#gateway/emulator/store/checkpointer.ts';
import { openSnapshot } from '#gateway/emulator/store/open-snapshot.ts';
import { type LagView, openLagView } from './lag-view.ts';

/** The older views of one account, one for each fault that lags it. */
export interface LagViews {
  open(faultId: string, lagMs: number | null): void;
  close(faultId: string): void;
  /** Undefined for a fault that is over or lags another account. */
  of(faultId: string): Endpoint | undefined;
  closeAll(): void;
}

export function createLagViews(endpoint: Endpoint, checkpointer: Checkpointer): LagViews {
  const views = new Map<string, { readonly view: LagView; readonly release: () => void }>();

  function end(faultId: string): void {
    const found = views.get(faultId);
    if (found === undefined) return;
    views.delete(faultId);
    found.view.close();
    found.release();
  }

  return {
    open(faultId, lagMs) {
      const view = openLagView({ endpoint, lagMs, openSnapshot: () => openSnapshot(endpoint.store.databasePath) });
      views.set(faultId, { view, release: checkpointer.hold() });
    },
    // Not at once: a fault that has met its last read ends just before that read looks at the view.
    close: (faultId) => void setImmediate(end, faultId),
    of: (faultId) => views.get(faultId)?.view.endpoint(),
    closeAll() {
      for (const faultId of [...views.keys()]) end(faultId);
    },
  };
}
