import type { SealedBatch } from '#gateway/content/sealed-counts.ts';
import type { GatewayEnv } from '#gateway/env.ts';
import type { StoreMemory } from '#gateway/store/store-memory.ts';

/** What the thread of the worker over the change feed is started with. */
export interface FeedStart {
  readonly env: GatewayEnv;
  readonly storeMemory: StoreMemory;
  /** Names the gateway in leases. */
  readonly owner: string;
}

export type ToFeed = { readonly kind: 'drain' };

export type FromFeed =
  | { readonly kind: 'gauges'; readonly gauges: Readonly<Record<string, number>> }
  | { readonly kind: 'sealed'; readonly batch: SealedBatch }
  | { readonly kind: 'say'; readonly sentence: string }
  | { readonly kind: 'drained' };
