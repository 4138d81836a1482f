import { z } from 'zod';
import { Sha256Hex } from './ids.ts';
import { ReleaseId } from './release.ts';

/**
 * The machine API between a gateway and the console: `/api/gateway/…`, `Authorization: Bearer <gateway token>`.
 * A gateway names itself in every call by `?gateway=<name>`.
 */
export const GatewayName = z.string().regex(/^[a-z0-9][a-z0-9._-]{0,62}$/);

/**
 * Round in which each gateway asks once for the manifest while nothing changes, milliseconds. A request is held to the
 * gateway's own moment of the round, 5 s at least and 30 s at most.
 */
export const MANIFEST_WAIT_MS = 25_000;
/** How often a gateway sends its heartbeat, milliseconds; after SILENT_AFTER_MS without one it counts as silent. */
export const HEARTBEAT_EVERY_MS = 5_000;
export const SILENT_AFTER_MS = 30_000;

/**
 * Payload of the manifest, a compact JWS (EdDSA) signed by the console: GET `/api/gateway/manifest`, ETag = release
 * sha256, `If-None-Match` holds the request (MANIFEST_WAIT_MS) and then answers 304; 204 = nothing published yet.
 */
export const ManifestStatement = z.object({
  gateway: GatewayName,
  target: ReleaseId.extend({ sha256: Sha256Hex }),
  timeMs: z.int(),
});
export type ManifestStatement = z.infer<typeof ManifestStatement>;

/** Most sections that one request may ask for. */
export const MAX_SECTIONS_A_REQUEST = 250;

/**
 * POST `/api/gateway/sections`: many sections in one reply, in the order asked, each as its length in bytes (unsigned 32
 * bits, big-endian) and then its bytes as they were hashed. 404 when one is unknown.
 */
export const SectionsWanted = z.strictObject({ sha256: z.array(Sha256Hex).min(1).max(MAX_SECTIONS_A_REQUEST) });
export type SectionsWanted = z.infer<typeof SectionsWanted>;

/** POST `/api/gateway/ack`: the answer to one release. `rejected` keeps the old release serving. */
export const Ack = z.object({
  release: ReleaseId.extend({ sha256: Sha256Hex }),
  result: z.discriminatedUnion('state', [
    z.object({
      state: z.literal('live'),
      /** Fetch to last worker swapped, and the part of it spent on parsing and building, milliseconds. */
      durationMs: z.number(),
      parseMs: z.number(),
      probesPassed: z.int(),
    }),
    z.object({ state: z.literal('applying') }),
    z.object({ state: z.literal('rejected'), reason: z.string().max(2_000) }),
  ]),
  version: z.string(),
});
export type Ack = z.infer<typeof Ack>;

/** One regional endpoint of a Cosmos account as a gateway's workers see it together. Counts are since the gateway started. */
export const StoreRegion = z.object({
  account: z.string(),
  region: z.string(),
  /** Writes go here now. */
  takesWrites: z.boolean(),
  /**
   * `open`: nothing is sent, but one attempt at a time of reads that no other region can serve; `halfOpen`: one attempt at
   * a time finds out whether it answers again.
   */
  breaker: z.enum(['closed', 'open', 'halfOpen']),
  breakerSinceMs: z.int().nullable(),
  attempts: z.int(),
  /** Attempts that say the region is unwell: no reply, 408, 410, 5xx. Throttling is not one. */
  failures: z.int(),
  throttled: z.int(),
  /** Hedged reads sent here, and those whose reply was used. */
  hedges: z.int(),
  hedgesWon: z.int(),
  connections: z.object({
    open: z.int(),
    idle: z.int(),
    waiting: z.int(),
    /** Ever opened, and requests sent over all of them: their ratio is the requests per connection. */
    opened: z.int(),
    requests: z.int(),
  }),
});
export type StoreRegion = z.infer<typeof StoreRegion>;

/** POST `/api/gateway/heartbeat`, every HEARTBEAT_EVERY_MS. `left` is sent once when the gateway drains. */
export const Heartbeat = z.object({
  version: z.string(),
  startedAtMs: z.int(),
  url: z.string(),
  serves: ReleaseId.nullable(),
  workers: z.array(
    z.object({ worker: z.int(), inFlight: z.int(), loopDelayP99Ms: z.number(), loopDelayMaxMs: z.number() }),
  ),
  /** Audit rows on the spool that the console has not taken yet. */
  auditBacklog: z.int(),
  /** The store's answer to the last health probe. */
  store: z.object({ reachable: z.boolean(), message: z.string(), regions: z.array(StoreRegion).default([]) }),
  left: z.boolean(),
});
export type Heartbeat = z.infer<typeof Heartbeat>;

/** Reply to a heartbeat: how many gateways share every fleet-wide quota now. */
export const HeartbeatReply = z.object({ liveGateways: z.int().min(1) });
