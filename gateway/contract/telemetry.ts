import { z } from 'zod';
import { ACTOR_KINDS } from './definitions/principal.ts';
import { ErrorCode, Outcome } from './errors.ts';

/** Every operation of the gateway's API, named as on charts and in policies' explanations. */
export const OPERATIONS = [
  'object.get',
  'object.put',
  'object.create',
  'object.delete',
  'edge.get',
  'edge.put',
  'edge.delete',
  'edge.changeType',
  'edge.count',
  'edge.list',
  /** Counts under the type of its object, whatever edges it touches. */
  'commit',
  /** Only one that is refused as a whole; what a served batch did counts under its operations. */
  'batch',
] as const;
export const Operation = z.enum(OPERATIONS);
export type Operation = z.infer<typeof Operation>;

/** Stages whose share of a request's time is kept, in pipeline order. `loop` is waiting for the event loop. */
export const STAGES = ['queue', 'auth', 'policy', 'admit', 'store', 'decode', 'write'] as const;
export const Stage = z.enum(STAGES);
export type Stage = z.infer<typeof Stage>;

/**
 * A mergeable log-linear histogram of durations, sparse: `[bucket index, count]` pairs sorted by index, see
 * `histogram.ts` for the meaning of an index.
 */
export const SparseHistogram = z.array(z.tuple([z.int().min(0), z.int().min(1)]));
export type SparseHistogram = z.infer<typeof SparseHistogram>;

/** Length of the shortest telemetry bucket, milliseconds. */
export const BUCKET_MS = 10_000;

const series = {
  /** Start of the bucket, epoch milliseconds, a multiple of BUCKET_MS. */
  bucketMs: z.int(),
  operation: Operation,
  outcome: Outcome,
  histogram: SparseHistogram,
  count: z.int().min(1),
  /** Largest duration seen, microseconds: no percentile may exceed it. */
  maxUs: z.int(),
  sumUs: z.number(),
  /** Request units charged, including failed attempts. */
  ru: z.number(),
  /** How many of them the cache answered, and how many it did not have what it could have had. Older gateways have none. */
  cacheHits: z.int().min(0).default(0),
  cacheMisses: z.int().min(0).default(0),
};

/** Requests that no tenant can be charged with (bad credentials, unknown tenant) count under this name. */
export const NO_TENANT = '-';

/**
 * POST `/api/gateway/telemetry`, every 5 s: what all workers of a gateway counted since the last one. A repeated
 * `(boot, seq)` is taken once; the next `seq` is the last taken + 1.
 */
export const TelemetryShipment = z.object({
  boot: z.string(),
  seq: z.int().min(1),
  tenants: z.array(z.object({ tenant: z.string(), ...series })),
  types: z.array(
    z.object({
      type: z.string(),
      ...series,
      /** 0 where requests only wrote this type beside the one that they count under. */
      count: z.int().min(0),
      /** Operations that may have left more of this type: each one of a commit. Absent from older gateways: one a request. */
      writes: z.int().min(0).exactOptional(),
    }),
  ),
  /** Per tenant: principals by requests. The 50 busiest, the rest as `other`. */
  principals: z.array(
    z.object({
      bucketMs: z.int(),
      tenant: z.string(),
      principal: z.string(),
      type: z.string(),
      requests: z.int(),
      ru: z.number(),
    }),
  ),
  requests: z.array(z.lazy(() => RequestRecord)),
});
export type TelemetryShipment = z.infer<typeof TelemetryShipment>;

/** One request to the store. Status 0: no reply came. */
export const AttemptRecord = z.object({
  status: z.int(),
  subStatus: z.int(),
  ru: z.number(),
  us: z.int(),
  /** The region it was sent to; empty in records of older gateways. */
  region: z.string().default(''),
  /** A second read, sent because the first was slow. */
  hedge: z.boolean().default(false),
  /** The other read of the pair answered first: no reply was waited for, and `ru` is what the other one cost. */
  overtaken: z.boolean().default(false),
  /** How long a reply that throttled asked to wait; null when none did. */
  retryAfterMs: z.int().nullable().default(null),
});
export type AttemptRecord = z.infer<typeof AttemptRecord>;

/** The fixed-shape record of one request. Of all requests, refusals, failures, slow ones and a bounded sample are kept. */
export const RequestRecord = z.object({
  id: z.string(),
  atMs: z.int(),
  gateway: z.string(),
  worker: z.int(),
  release: z.int().nullable(),
  tenant: z.string().nullable(),
  principal: z.string().nullable(),
  actorKind: z.enum(ACTOR_KINDS).nullable(),
  /** The key's id. Without a principal it is the one that the caller named and that let nobody in: nothing proves it. */
  keyId: z.string().nullable(),
  operation: Operation.nullable(),
  type: z.string().nullable(),
  objectId: z.string().nullable(),
  edgeType: z.string().nullable(),
  status: z.int(),
  code: ErrorCode.nullable(),
  message: z.string().nullable(),
  outcome: Outcome,
  policy: z.string().nullable(),
  durationUs: z.int(),
  ru: z.number(),
  /** Microseconds by stage; stages that did not run are absent. */
  stages: z.partialRecord(Stage, z.int()),
  /** Quota at that moment, when the request was admitted or refused by it. */
  quota: z.object({ dimension: z.string(), limitPerSecond: z.number(), remaining: z.number() }).nullable(),
  attempts: z.array(AttemptRecord),
  /** Whether the cache had what was read; null when the type is not cached, and in records of older gateways. */
  cache: z.enum(['hit', 'miss']).nullable().default(null),
});
export type RequestRecord = z.infer<typeof RequestRecord>;
