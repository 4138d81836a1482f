import type { SealedBatch } from '#gateway/content/sealed-counts.ts';
import type { GatewayEnv } from '#gateway/env.ts';
import type { LoadedRelease } from '#gateway/release/source.ts';
import type { StoreMemory } from '#gateway/store/store-memory.ts';

/** What the thread of the worker over the change feed is started with. */
export interface FeedStart {
  readonly env: GatewayEnv;
  readonly storeMemory: StoreMemory;
  /** Names the gateway in leases. */
  readonly owner: string;
}

/** The release that the gateway serves; its table is shared memory. */
export type FeedRelease = Omit<LoadedRelease, 'parseMs'>;

export type ToFeed =
  | { readonly kind: 'drain' }
  /** Names the edge types whose inverses are looked at. */
  | { readonly kind: 'release'; readonly release: FeedRelease };

export type FromFeed =
  | { readonly kind: 'gauges'; readonly gauges: Readonly<Record<string, number>> }
  | { readonly kind: 'sealed'; readonly batch: SealedBatch }
  | { readonly kind: 'say'; readonly sentence: string }
  | { readonly kind: 'drained' };
