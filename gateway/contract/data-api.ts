import { z } from 'zod';

/** Request headers that the gateway understands, lower case. */
export const HEADERS_IN = {
  authorization: 'authorization',
  idempotencyKey: 'idempotency-key',
  deadlineMs: 'habitat-deadline-ms',
  consistency: 'habitat-consistency',
  session: 'habitat-session',
  ifMatch: 'if-match',
  ifNoneMatch: 'if-none-match',
  traceparent: 'traceparent',
} as const;

/** Reply headers, as written. */
export const HEADERS_OUT = {
  requestId: 'Habitat-Request-Id',
  release: 'Habitat-Release',
  ru: 'Habitat-Ru',
  servedFrom: 'Habitat-Served-From',
  session: 'Habitat-Session',
  limit: 'RateLimit-Limit',
  remaining: 'RateLimit-Remaining',
  reset: 'RateLimit-Reset',
  serverTiming: 'Server-Timing',
  /** One entry for each deprecated type of the request: `Message; since=2026-12-01; sunset=2027-03-01; replacement="Use Note"`. */
  deprecated: 'Habitat-Deprecated',
  /**
   * Where content that was stored does not fit its type's schema, while that only warns: a JSON pointer, percent-encoded and
   * empty for the whole, then what was expected: `/name is missing`.
   */
  misfit: 'Habitat-Content-Misfit',
} as const;

export const DEFAULT_DEADLINE_MS = 5_000;
export const MAX_DEADLINE_MS = 30_000;
export const DEFAULT_LIST_LIMIT = 50;
export const MAX_LIST_LIMIT = 10_000;
/** Most edges that a positional page passes over. */
export const MAX_LIST_POS = 1_000;
export const MAX_EDGE_IDS = 100;
/** An object that fills so much with its edges takes no more puts; Cosmos's own wall is 20 GB. */
export const FULL_OBJECT_BYTES = 16 * 2 ** 30;
/** A page of edges ends here, bytes of JSON. */
export const MAX_PAGE_BYTES = 1_000_000;
/** Latest time an edge may carry, epoch milliseconds (ECMAScript's last date). */
export const MAX_TIME_MS = 8.64e15;

export const MAX_BATCH_OPERATIONS = 100;
/** Longest body of a batch, and where a reply stops carrying content, bytes. */
export const MAX_BATCH_BYTES = 8_000_000;
export const MAX_BATCH_REPLY_BYTES = 16_000_000;

const at = { type: z.string(), id: z.string() };
const edgesAt = { ...at, edgeType: z.string() };
const edgeAt = { edgeType: z.string(), toId: z.string() };
const edgeContent = { time: z.int().min(0).max(MAX_TIME_MS).optional(), data: z.string().optional() };
const version = z.string().regex(/^[0-9a-z]{1,11}$/, 'A version is what a reply gave as one.');
const preconditions = { ifMatch: version.optional(), ifAbsent: z.boolean().optional() };
const bounds = {
  after: z.int().min(0).max(MAX_TIME_MS).optional(),
  before: z.int().min(0).max(MAX_TIME_MS).optional(),
};
/**
 * Content in a batch, exactly one of: `json`, stored exactly as it is written in the request; `text`, stored as UTF-8;
 * `base64`, any bytes. `contentType` is application/json, text/plain; charset=utf-8 or application/octet-stream unless told.
 */
const content = {
  json: z.unknown().optional(),
  text: z.string().optional(),
  base64: z.base64().optional(),
  contentType: z.string().max(255).optional(),
};

/** One operation of POST `/v1/{tenant}/batch`; its fields mean what they mean in the call of the same name. */
export const BatchOperation = z.discriminatedUnion('op', [
  z.strictObject({ op: z.literal('object.get'), ...at, ifNoneMatch: z.array(version).max(16).optional() }),
  z.strictObject({ op: z.literal('object.put'), ...at, ...content, ...preconditions }),
  z.strictObject({ op: z.literal('object.create'), type: z.string(), ...content }),
  z.strictObject({ op: z.literal('object.delete'), ...at, ifMatch: version.optional() }),
  z.strictObject({
    op: z.literal('edge.get'),
    ...edgesAt,
    toIds: z.array(z.string()).min(1).max(MAX_EDGE_IDS),
    ...bounds,
  }),
  z.strictObject({ op: z.literal('edge.put'), ...at, ...edgeAt, ...edgeContent }),
  z.strictObject({ op: z.literal('edge.delete'), ...at, ...edgeAt }),
  z.strictObject({ op: z.literal('edge.changeType'), ...at, ...edgeAt, to: z.string() }),
  z.strictObject({ op: z.literal('edge.count'), ...edgesAt }),
  z.strictObject({
    op: z.literal('edge.list'),
    ...edgesAt,
    limit: z.int().min(1).max(MAX_LIST_LIMIT).optional(),
    cursor: z.string().optional(),
    pos: z.int().min(0).max(MAX_LIST_POS).optional(),
    ...bounds,
  }),
]);
export type BatchOperation = z.infer<typeof BatchOperation>;

/** Body of a batch. Each operation is read by itself: one that is malformed fails alone. */
export const BatchBody = z.strictObject({ operations: z.array(z.unknown()).min(1).max(MAX_BATCH_OPERATIONS) });

/**
 * Reply of a batch: one result an operation, in the order of the request. `status` is what the single call would have
 * answered. An object's content comes as `text` when it is UTF-8 and else as `base64`, with `contentType`; every other
 * reply as `body`, a refusal as `error`. `requestId` names the operation in the console.
 */
export const BatchResults = z.object({
  results: z.array(
    z.object({
      status: z.int(),
      requestId: z.string(),
      version: z.string().optional(),
      /** Content that was stored although it does not fit its type's schema. */
      misfit: z.object({ path: z.string(), reason: z.string() }).optional(),
      contentType: z.string().optional(),
      text: z.string().optional(),
      base64: z.string().optional(),
      body: z.unknown().optional(),
      error: z.unknown().optional(),
    }),
  ),
});
export type BatchResults = z.infer<typeof BatchResults>;

/** Most operations of a commit, and most items that they may touch: a change of an edge's type touches two. */
export const MAX_COMMIT_ITEMS = 96;
/** Most bytes of a commit as it is stored. */
export const MAX_COMMIT_BYTES = 1_800_000;

/** One operation of POST `/v1/{tenant}/objects/{type}/{id}:commit`, on that object or an edge that starts there. */
export const CommitOperation = z.discriminatedUnion('op', [
  z.strictObject({ op: z.literal('object.put'), ...content, ...preconditions }),
  z.strictObject({ op: z.literal('edge.put'), ...edgeAt, ...edgeContent }),
  z.strictObject({ op: z.literal('edge.delete'), ...edgeAt }),
  z.strictObject({ op: z.literal('edge.changeType'), ...edgeAt, to: z.string() }),
]);
export type CommitOperation = z.infer<typeof CommitOperation>;

/** Body of a commit. */
export const CommitBody = z.strictObject({ operations: z.array(z.unknown()).min(1).max(MAX_COMMIT_ITEMS) });

/** Reply of object.put. The version is the object's revision in base 36: ordered, equal for equal states. */
export const ObjectWritten = z.object({ id: z.string(), version: z.string(), created: z.boolean() });
/**
 * Reply of object.delete; `deleted` is false when there was nothing. `sweeping` is set while edges of the object are still
 * being deleted: it and they are gone for every reader, and writes to it wait with `delete_in_progress`.
 */
export const ObjectDeleted = z.object({
  id: z.string(),
  deleted: z.boolean(),
  sweeping: z.literal(true).optional(),
});

/** Body of edge.put. `time` is epoch milliseconds, now when absent; `data` is a string of at most the type's dataMaxBytes. */
export const EdgePutBody = z.strictObject(edgeContent);

/** One edge as returned. */
export const Edge = z.object({ toId: z.string(), time: z.int(), data: z.string().optional(), version: z.string() });
export type Edge = z.infer<typeof Edge>;

export const EdgeWritten = z.object({ toId: z.string(), time: z.int(), version: z.string(), created: z.boolean() });
export const EdgeDeleted = z.object({ toId: z.string(), deleted: z.boolean() });
/** Body of edge.changeType: the edge type that the edge gets, which has the same ends. */
export const EdgeChangeBody = z.strictObject({ to: z.string() });
/**
 * Reply of edge.changeType: the edge under its new type, time and data unchanged. `replaced` is set when that type had an edge
 * to this target already, which is gone.
 */
export const EdgeMoved = z.object({
  toId: z.string(),
  edgeType: z.string(),
  time: z.int(),
  version: z.string(),
  replaced: z.boolean(),
});
/**
 * Reply of a commit: one result an operation, in the order of the request, each what the call of the same name answers. Operations
 * on one item give the one version that it got. A refusal names its operation in `details.operation`.
 */
export const CommitResults = z.object({
  results: z.array(z.union([ObjectWritten, EdgeMoved, EdgeWritten, EdgeDeleted])),
});
export const EdgeCount = z.object({ count: z.int() });
/** Reply of edge.get by ids: those present within the bounds, in request order. */
export const EdgesFound = z.object({ edges: z.array(Edge) });
/**
 * Reply of edge.list, newest first. `cursor` is absent on the last page; `limitClamped` is set when listCap cut the limit. A page
 * that was asked for by `pos` has no cursor: `more` says that edges follow it.
 */
export const EdgePage = z.object({
  edges: z.array(Edge),
  cursor: z.string().optional(),
  more: z.literal(true).optional(),
  limitClamped: z.literal(true).optional(),
});
