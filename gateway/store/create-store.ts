import type { ContentPort, StorePort } from '#gateway/pipeline/store-port.ts';
import { createAccount } from './account.ts';
import type { StoreCredential } from './azure/credential.ts';
import { assertFifo } from './http/assert-fifo.ts';
import type { FreeList } from './http/free-list.ts';
import { createUlids } from './layout/ulid.ts';
import { createCountEdges } from './ops/count-edges.ts';
import { createDeleteEdge } from './ops/delete-edge.ts';
import { createDeleteObject } from './ops/delete-object.ts';
import { createGetEdges } from './ops/get-edges.ts';
import { createGetObject } from './ops/get-object.ts';
import { createListEdges } from './ops/list-edges.ts';
import { createPutEdge } from './ops/put-edge.ts';
import { createPutObject } from './ops/put-object.ts';
import type { StoreParts } from './parts.ts';
import { probe } from './read/probe.ts';

export interface StoreOptions {
  /** URL of one regional endpoint of the account. */
  readonly endpoint: string;
  readonly credential: StoreCredential;
  readonly content: ContentPort;
  readonly clock: { now(): number };
  /** 0 ≤ value < 1, for jitter; `Math.random` unless told. */
  readonly random?: () => number;
  /** Most connections of this process to the endpoint; 128 unless told. */
  readonly maxConnections?: number;
}

export interface Store extends StorePort {
  /** Connections open, idle, and requests waiting for one. */
  connections(): ReturnType<FreeList['stats']>;
  close(): Promise<void>;
}

/**
 * The store over Azure Cosmos DB. Opens no connection before the first call; throws if connections would not be
 * reused in the order A B C A B C.
 */
export function createStore(options: StoreOptions): Store {
  const { clock, content, random = Math.random, maxConnections = 128 } = options;
  const now = () => clock.now();
  const account = createAccount({ ...options, now, random, maxConnections });
  assertFifo(account.connections);
  const parts: StoreParts = { account, content, now, random, newUlid: createUlids(now) };
  return {
    getObject: createGetObject(parts),
    putObject: createPutObject(parts),
    deleteObject: createDeleteObject(parts),
    getEdges: createGetEdges(parts),
    putEdge: createPutEdge(parts),
    deleteEdge: createDeleteEdge(parts),
    countEdges: createCountEdges(parts),
    listEdges: createListEdges(parts),
    probe: () => probe(parts),
    connections: () => account.connections.stats(),
    close: () => account.close(),
  };
}
