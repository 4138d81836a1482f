import type { KeyObject } from 'node:crypto';
import type { Catalog } from './catalog/catalog.ts';
import type { GroupCommit } from './store/group-commit.ts';
import type { Store } from './store/open-store.ts';

/** Everything the handlers of one endpoint share. Built once by `startEmulator`. */
export interface Endpoint {
  readonly store: Store;
  readonly catalog: Catalog;
  readonly commit: GroupCommit;
  readonly key: KeyObject;
  readonly consistency: ConsistencyLevel;
  readonly nowMs: () => number;
}

/** Strongest first. A request may ask for its account's level or a weaker one. */
export const CONSISTENCY_LEVELS = ['Strong', 'BoundedStaleness', 'Session', 'ConsistentPrefix', 'Eventual'] as const;
export type ConsistencyLevel = (typeof CONSISTENCY_LEVELS)[number];

export const nowSeconds = (endpoint: Endpoint): number => Math.floor(endpoint.nowMs() / 1_000);
