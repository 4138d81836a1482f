export interface Place {
  readonly pk: string;
  readonly id: string;
}

/** How new a read has to be, as Cosmos DB is told. */
export interface Freshness {
  readonly consistencyLevel: 'Eventual' | 'Session';
  readonly sessionToken?: string;
}

/**
 * One point read in one region: the item as Cosmos DB tells it, or null when nothing is stored there. Everything else is
 * thrown: `RefusedReply` for a reply that says no, a 404 that is not about the item included, `BrokenAttempt` when none came.
 */
export interface PointReads {
  read(place: Place, freshness: Freshness, signal: AbortSignal): Promise<unknown>;
}

/** Through which code point reads leave: the SDK's, or this gateway's own. */
export type PointLane = 'sdk' | 'rest';
