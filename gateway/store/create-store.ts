import type { FreshnessPort } from '#gateway/pipeline/freshness-port.ts';
import type { ContentPort, StorePort } from '#gateway/pipeline/store-port.ts';
import { createAccount } from './account.ts';
import type { StoreCredential } from './azure/credential.ts';
import { createFreshness } from './freshness.ts';
import { createUlids } from './layout/ulid.ts';
import { createChangeEdgeType } from './ops/change-edge-type.ts';
import { createCommit } from './ops/commit-parts.ts';
import { createCountEdges } from './ops/count-edges.ts';
import { createDeleteEdge } from './ops/delete-edge.ts';
import { createDeleteObject } from './ops/delete-object.ts';
import { createGetEdges } from './ops/get-edges.ts';
import { createGetObject } from './ops/get-object.ts';
import { createListEdges } from './ops/list-edges.ts';
import { createPutEdge } from './ops/put-edge.ts';
import { createPutObject } from './ops/put-object.ts';
import type { StoreParts } from './parts.ts';
import type { PointLane } from './points/point-reads.ts';
import { createHealth, type RegionStatus } from './regions/health.ts';
import { mergeSessions } from './session-tokens.ts';
import { allocateStoreMemory, type StoreMemory } from './store-memory.ts';
import { type StoreSummary, summaryOf } from './summary.ts';

export interface StoreOptions {
  /** URL of the account, or of one of its regions. */
  readonly endpoint: string;
  readonly credential: StoreCredential;
  /** How point reads leave; `rest` unless told, which costs a fraction of the SDK's processor time. */
  readonly pointReads?: PointLane;
  /** Names of regions, nearest first; the order of the account document unless told. */
  readonly preferredRegions?: readonly string[];
  /** Where the endpoint of a region is reached from here, when that is not the URL that the account names. */
  readonly reach?: (url: string) => string;
  readonly content: ContentPort;
  readonly clock: { now(): number };
  /** 0 ≤ value < 1, for jitter; `Math.random` unless told. */
  readonly random?: () => number;
  /** Most connections of this thread to each region; 128 unless told. */
  readonly maxConnections?: number;
  /** Shared with the other workers of the process. */
  readonly memory?: StoreMemory;
}

export interface Store extends StorePort {
  readonly freshness: FreshnessPort;
  /** The regions as this worker knows them. */
  regions(): readonly RegionStatus[];
  /** Asks every region now. */
  probe(): Promise<StoreSummary>;
  /**
   * From now on sees to it that regions are checked and the account document is read again. Resolves after the first
   * checks; ends with `close`.
   */
  watch(): Promise<void>;
  close(): Promise<void>;
}

/**
 * The store over Azure Cosmos DB. Opens no connection before the first call or `watch`; throws if connections would not be
 * reused in the order A B C A B C.
 */
export function createStore(options: StoreOptions): Store {
  const parts = createParts(options);
  const { account } = parts;
  const health = createHealth(parts);
  return {
    getObject: createGetObject(parts),
    putObject: createPutObject(parts),
    deleteObject: createDeleteObject(parts),
    getEdges: createGetEdges(parts),
    putEdge: createPutEdge(parts),
    deleteEdge: createDeleteEdge(parts),
    changeEdgeType: createChangeEdgeType(parts),
    commit: createCommit(parts),
    countEdges: createCountEdges(parts),
    listEdges: createListEdges(parts),
    mergeSessions,
    freshness: createFreshness(account),
    regions: health.status,
    async probe() {
      await health.checkAll();
      return summaryOf(health.status());
    },
    watch: health.watch,
    async close() {
      health.stop();
      await account.close();
    },
  };
}

/** What operations are built on, without them. Opens no connection before the first call; `account.close` ends it. */
export function createParts(options: StoreOptions): StoreParts {
  const { clock, content, random = Math.random, maxConnections = 128, memory = allocateStoreMemory() } = options;
  const { preferredRegions = [], reach = (url: string) => url, pointReads = 'rest' } = options;
  const now = () => clock.now();
  const account = createAccount({
    ...{ ...options, now, random, maxConnections, memory },
    ...{ preferredRegions, reach, pointReads },
  });
  return { account, content, now, random, newUlid: createUlids(now) };
}
