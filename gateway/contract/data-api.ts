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
} as const;

export const DEFAULT_DEADLINE_MS = 5_000;
export const MAX_DEADLINE_MS = 30_000;
export const DEFAULT_LIST_LIMIT = 50;
export const MAX_LIST_LIMIT = 10_000;
export const MAX_EDGE_IDS = 100;
/** A page of edges ends here, bytes of JSON. */
export const MAX_PAGE_BYTES = 1_000_000;
/** Latest time an edge may carry, epoch milliseconds (ECMAScript's last date). */
export const MAX_TIME_MS = 8.64e15;

/** Reply of object.put. The version is the object's revision in base 36: ordered, equal for equal states. */
export const ObjectWritten = z.object({ id: z.string(), version: z.string(), created: z.boolean() });
/** Reply of object.delete; `deleted` is false when there was nothing. */
export const ObjectDeleted = z.object({ id: z.string(), deleted: z.boolean() });

/** Body of edge.put. `time` is epoch milliseconds, now when absent; `data` is a string of at most the type's dataMaxBytes. */
export const EdgePutBody = z.strictObject({
  time: z.int().min(0).max(MAX_TIME_MS).optional(),
  data: z.string().optional(),
});

/** One edge as returned. */
export const Edge = z.object({ toId: z.string(), time: z.int(), data: z.string().optional(), version: z.string() });
export type Edge = z.infer<typeof Edge>;

export const EdgeWritten = z.object({ toId: z.string(), time: z.int(), version: z.string(), created: z.boolean() });
export const EdgeDeleted = z.object({ toId: z.string(), deleted: z.boolean() });
export const EdgeCount = z.object({ count: z.int() });
/** Reply of edge.get by ids: those present within the bounds, in request order. */
export const EdgesFound = z.object({ edges: z.array(Edge) });
/** Reply of edge.list, newest first. `cursor` is absent on the last page; `limitClamped` is set when listCap cut the limit. */
export const EdgePage = z.object({
  edges: z.array(Edge),
  cursor: z.string().optional(),
  limitClamped: z.literal(true).optional(),
});
