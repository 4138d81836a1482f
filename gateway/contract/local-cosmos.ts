import { z } from 'zod';

/**
 * The admin API of the local Cosmos endpoint: what it serves and which faults it plays. A port of its own on this machine,
 * `Authorization: Bearer <token>`, JSON both ways; a refusal is `{"message"}` with 400, 401, 404 or 409.
 *
 * GET    `/state`        → `LocalCosmosState`
 * POST   `/faults`       `NewFault` → `Fault`
 * DELETE `/faults/{id}`  and `/faults` (all) → 204
 * POST   `/failover`     `Failover` → 204: the account's writes move to that region; the others answer them 403/3
 * POST   `/budget`       `Budget` → 204: request units per second and partition, null for no limit
 * POST   `/corrupt`      `Corrupt` → 204: flips one byte of a string inside a stored item, as a bad disk would
 */
export const LOCAL_COSMOS_REGIONS = ['East', 'West'] as const;

/** What a request does: a single item read, a query, the change feed, a single write, an atomic batch, or the catalogue. */
export const FAULT_OPERATIONS = ['read', 'query', 'feed', 'write', 'batch', 'metadata'] as const;
export const FaultOperation = z.enum(FAULT_OPERATIONS);
export type FaultOperation = z.infer<typeof FaultOperation>;

const DelayMs = z.int().min(0).max(600_000);

/** What happens to a request that a fault meets. Unless it says so, the request is not carried out. */
export const FaultEffect = z.discriminatedUnion('kind', [
  /** The region's port refuses connections and cuts those that are open. Takes no operations and no partition. */
  z.object({ kind: z.literal('refuse') }),
  /** The connection is reset before any byte of the reply. */
  z.object({ kind: z.literal('reset') }),
  /** No reply ever comes. */
  z.object({ kind: z.literal('hang') }),
  /** Carried out after `delayMs` plus `perQueuedMs` for every request that waits before it: work that piles up. */
  z.object({ kind: z.literal('slow'), delayMs: DelayMs, perQueuedMs: DelayMs.default(0) }),
  /** Answered with this status: 429 (sub-status 3200), 449, 410 (1002), 408, 500, 503, 403 (3), 404 (1002), … */
  z.object({
    kind: z.literal('status'),
    status: z.int().min(400).max(599),
    subStatus: z.int().min(0).default(0),
    retryAfterMs: DelayMs.nullable().default(null),
  }),
  /** A batch is rolled back: 207, the operation at `index` with this status and all others 424. */
  z.object({
    kind: z.literal('batchStatus'),
    status: z.int().min(400).max(599),
    index: z.int().min(0).max(99).default(0),
    retryAfterMs: DelayMs.nullable().default(null),
  }),
  /** Answered by something in between: this status with an HTML page, or with no body at all. */
  z.object({ kind: z.literal('html'), status: z.int().min(200).max(599).default(502) }),
  z.object({ kind: z.literal('empty'), status: z.int().min(200).max(599).default(503) }),
  /** Carried out and durable; then the connection is reset without a reply. */
  z.object({ kind: z.literal('commitThenReset') }),
  /** The connection is reset now; the request is carried out `delayMs` later, when its client has long left. */
  z.object({ kind: z.literal('delayedDelivery'), delayMs: DelayMs }),
  /** Reads in the region see what was committed `lagMs` ago; null stops replication where it is. Takes no operations. */
  z.object({ kind: z.literal('lag'), lagMs: DelayMs.nullable() }),
  /** As `lag`, for `replicas` of the region's four; each read is served by one of the four at random. */
  z.object({ kind: z.literal('replicaLag'), lagMs: DelayMs.nullable(), replicas: z.int().min(1).max(4).default(1) }),
  /** Expired items that are not purged yet: a read finds nothing, a create meets 409. */
  z.object({ kind: z.literal('keepExpired') }),
]);
export type FaultEffect = z.infer<typeof FaultEffect>;

/** A fault to switch on. What is left out matches everything. */
export const NewFault = z.object({
  account: z.string().optional(),
  region: z.string().optional(),
  operations: z.array(FaultOperation).min(1).optional(),
  /** Partition key value, compared with the whole key. */
  partition: z.string().optional(),
  /** Share of the matching requests that it meets. */
  percent: z.number().gt(0).max(100).default(100),
  /** Switches itself off after meeting so many requests. */
  times: z.int().min(1).optional(),
  effect: FaultEffect,
});
export type NewFault = z.infer<typeof NewFault>;

export const Fault = NewFault.extend({ id: z.string(), sinceMs: z.int(), met: z.int() });
export type Fault = z.infer<typeof Fault>;

/** Strongest first. A request may ask for its account's level or a weaker one. */
export const CONSISTENCY_LEVELS = ['Strong', 'BoundedStaleness', 'Session', 'ConsistentPrefix', 'Eventual'] as const;
export type ConsistencyLevel = (typeof CONSISTENCY_LEVELS)[number];

export const LocalCosmosState = z.object({
  accounts: z.array(
    z.object({
      name: z.string(),
      consistency: z.enum(CONSISTENCY_LEVELS),
      writeRegion: z.string(),
      /** Request units a second that one partition may use; null is no limit. */
      partitionRuPerSecond: z.number().nullable(),
      regions: z.array(z.object({ name: z.string(), url: z.string(), requests: z.int(), throttled: z.int() })),
    }),
  ),
  faults: z.array(Fault),
});
export type LocalCosmosState = z.infer<typeof LocalCosmosState>;

export const Failover = z.object({ account: z.string(), region: z.string() });
export const Budget = z.object({ account: z.string(), partitionRuPerSecond: z.number().gt(0).nullable() });
export const Corrupt = z.object({
  account: z.string(),
  database: z.string(),
  container: z.string(),
  /** The whole partition key value and the item's id. */
  partition: z.string(),
  id: z.string(),
  /** Name of the property whose string changes; dots lead into objects: `content.envelope`. */
  property: z.string(),
});
