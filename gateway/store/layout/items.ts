import { z } from 'zod';
import { EdgeTypeName, ObjectId, ObjectTypeName, TenantName } from '#gateway/contract/ids.ts';

export const TOMBSTONE_TTL_S = 7 * 24 * 60 * 60;
export const RECORD_TTL_S = 24 * 60 * 60;
/** A record counts as absent this long before Cosmos removes it, so that no clock difference lets one be used twice. */
export const RECORD_ABSENT_FROM_MS = (RECORD_TTL_S - 60 * 60) * 1_000;
export const OUTBOX_DONE_TTL_S = 60 * 60;

/** A body as `ContentPort` seals it, stored as it is. */
const Content = z.object({
  keyId: z.string(),
  codec: z.string(),
  contentType: z.string(),
  plainBytes: z.int(),
  envelope: z.string(),
  envelopeCrc: z.int(),
});

/** `r` is the revision, `w` the write that left this state. */
const versioned = { id: z.string(), pk: z.string(), r: z.int(), w: z.string(), timeMs: z.int(), _etag: z.string() };

/** What tells a living item from what a delete left, before anything else of it is looked at. */
const alive = { dead: z.undefined().optional() };
const LiveObject = z.object({ ...versioned, ...alive, type: ObjectTypeName, createdMs: z.int(), content: Content });
/** What a delete leaves until it expires; one that has more to do has no `ttl` yet. */
const tombstone = { dead: z.literal(true), ttl: z.int().optional() };
/** `swept` is false while the edges of the deleted object are still being deleted. */
const DeadObject = z.object({ ...versioned, ...tombstone, type: ObjectTypeName, swept: z.boolean() });
export const ObjectItem = z.discriminatedUnion('dead', [DeadObject, LiveObject]);
export type ObjectItem = z.infer<typeof ObjectItem>;

const edge = { ...versioned, type: EdgeTypeName, to: ObjectId };
export const LiveEdge = z.object({ ...edge, ...alive, s: z.string(), content: Content.optional() });
/** A tombstone has no sort string, so it leaves the lists at once. */
const DeadEdge = z.object({ ...edge, ...tombstone });
export const EdgeItem = z.discriminatedUnion('dead', [DeadEdge, LiveEdge]);
export type EdgeItem = z.infer<typeof EdgeItem>;
export type LiveEdgeItem = z.infer<typeof LiveEdge>;

/**
 * Head of a partition: how many edges of each type, and how many bytes the items beside the head and the object take: edges,
 * tombstones, records and outbox entries. What expires is not taken off again; a recount does that.
 */
export const HeadItem = z.object({
  state: z.enum(['open', 'closing']),
  n: z.record(z.string(), z.int()),
  bytes: z.int(),
  /** How often the object was deleted with edges; absent for never. */
  closings: z.int().optional(),
  _etag: z.string(),
});
export type HeadItem = z.infer<typeof HeadItem>;

/** What a keyed write answered: `q` is the hash of its request. */
export const RecordItem = z.object({
  q: z.string(),
  w: z.string(),
  atMs: z.int(),
  outcome: z.unknown(),
  _etag: z.string(),
});
export type RecordItem = z.infer<typeof RecordItem>;

/** Names the pairs of a forward edge type whose inverses a write left to apply. Never holds content. */
export const OutboxBody = z.object({
  kind: z.literal('pairs'),
  tenant: TenantName,
  fromType: ObjectTypeName,
  fromId: ObjectId,
  edgeType: EdgeTypeName,
  inverse: EdgeTypeName,
  toType: ObjectTypeName,
  pairs: z.array(z.object({ to: ObjectId, r: z.int() })),
  atMs: z.int(),
});
export type OutboxBody = z.infer<typeof OutboxBody>;

const EdgeRuleBody = z.object({
  edgeType: EdgeTypeName,
  from: ObjectTypeName,
  to: ObjectTypeName,
  cardinality: z.enum(['many', 'one']),
  maxEdges: z.int(),
  inverse: EdgeTypeName.nullable(),
  derivedFrom: EdgeTypeName.nullable(),
});

/**
 * Names an object whose edges are being deleted. Holds the rules that its edge types had when it was deleted, so that a
 * sweep ends the same way whatever is published meanwhile.
 */
export const SweepBody = z.object({
  kind: z.literal('sweep'),
  tenant: TenantName,
  fromType: ObjectTypeName,
  fromId: ObjectId,
  /** Edge types that have an inverse or are one. */
  mirrored: z.array(EdgeRuleBody.extend({ forward: EdgeRuleBody.extend({ forward: z.null() }).nullable() })),
  atMs: z.int(),
  /** Edges that were swept so far. */
  sweptEdges: z.int(),
  /** Who sweeps now; null when nobody does. */
  lease: z.object({ owner: z.string(), untilMs: z.int() }).nullable(),
});
export type SweepBody = z.infer<typeof SweepBody>;

/** What is left of an outbox entry whose work is done. */
export const DoneEntry = z.object({ done: z.literal(true) });

/** A sweep's entry as stored, open or done. Another kind of entry does not parse. */
export const SweepItem = z.union([DoneEntry, SweepBody.extend({ _etag: z.string() })]);
export type SweepItem = z.infer<typeof SweepItem>;
export type OpenSweepItem = Exclude<SweepItem, { done: true }>;

export function isDone<T extends object>(entry: T): entry is Extract<T, { done: true }> {
  return 'done' in entry;
}

/** Whether an item is what a delete left. */
export function isDead<T extends object>(item: T): item is Extract<T, { dead: true }> {
  return 'dead' in item;
}

/** An item's share of its partition, without the fields that Cosmos adds. */
export function storedBytes(item: object): number {
  const own = Object.fromEntries(Object.entries(item).filter(([name]) => !name.startsWith('_')));
  return Buffer.byteLength(JSON.stringify(own));
}
