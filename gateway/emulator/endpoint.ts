import type { KeyObject } from 'node:crypto';
import type { ConsistencyLevel } from '#gateway/contract/local-cosmos.ts';
import type { Catalog } from './catalog/catalog.ts';
import type { GroupCommit } from './store/group-commit.ts';
import type { Store } from './store/open-store.ts';

/** Everything the handlers of one account share. A region that lags reads through a copy with an older `store`. */
export interface Endpoint {
  readonly store: Store;
  readonly catalog: Catalog;
  readonly commit: GroupCommit;
  readonly key: KeyObject;
  /** Checks the signatures of Entra ID tokens; null when only the master key is accepted. */
  readonly entraKey: KeyObject | null;
  readonly consistency: ConsistencyLevel;
  readonly nowMs: () => number;
  /** Expired items are not purged yet, so a create of the same id meets 409. Off except under a fault. */
  readonly keepsExpired: boolean;
  /** Bytes that one logical partition may hold; the limit of the service when absent. */
  readonly partitionBytes?: number | undefined;
}

export const nowSeconds = (endpoint: Endpoint): number => Math.floor(endpoint.nowMs() / 1_000);
