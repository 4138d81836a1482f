import { type Denial, deny, isDenial } from '#gateway/pipeline/denial.ts';
import type { EdgeRule, ObjectKey, SessionToken, WriteCall } from '#gateway/pipeline/store-port.ts';
import { eachOf } from '#gateway/store/each-of.ts';
import {
  HeadItem,
  isDead,
  isDone,
  type LiveEdgeItem,
  ObjectItem,
  type OpenSweepItem,
  SweepItem,
  TOMBSTONE_TTL_S,
} from '#gateway/store/layout/items.ts';
import { HEAD_ID, OBJECT_ID, partitionKeyOf } from '#gateway/store/layout/keys.ts';
import type { StoreParts } from '#gateway/store/parts.ts';
import { readItem } from '#gateway/store/read/read-item.ts';
import { mergeSessions } from '#gateway/store/session-tokens.ts';
import { type CommitResult, commit } from '#gateway/store/write/commit.ts';
import type { GuardedBatch } from '#gateway/store/write/guarded-batch.ts';
import { outboxDone, outboxId, outboxItems } from '#gateway/store/write/outbox-item.ts';
import { revisionAfter } from '#gateway/store/write/settle.ts';
import { applyInverses } from './apply-inverse.ts';
import { removeEdge } from './delete-edge.ts';
import { deadEdge } from './edge-bodies.ts';
import { forwardOf, outboxesOf } from './edge-route.ts';
import { liveEdgesOf } from './live-edges.ts';

/** With the head, the sweep's entry and an outbox entry this makes a batch of 100, the most that Cosmos takes. */
export const EDGES_A_TURN = 97;
const PARALLEL = 8;
/** After so long without a turn another sweeper takes over. */
const LEASE_MS = 3_000;

export type SweepEnd = { readonly session: readonly SessionToken[] } & (
  | { readonly kind: 'swept' }
  /** `why`: turns or time ran out, another sweeper is at it, or what the store refused with. */
  | { readonly kind: 'unfinished'; readonly why: 'budget' | 'leased' | Denial }
);

export interface SweepBudget {
  /** `deadlineAtMs` bounds the time; the idempotency key is not used. */
  readonly call: WriteCall;
  /** Each deletes at most 97 edges. */
  readonly turns: number;
}

/**
 * Goes on with the sweep of a deleted object: its edges to tombstones, and at the end one batch that opens the partition
 * with no edges and marks the tombstone swept. Nothing happens when there is no sweep. May be called by anyone at any
 * time and may stop anywhere: what is left is found again, and each batch is guarded by the sweep's entry, so that of two
 * sweepers one goes on. An inverse edge is swept by deleting its forward edge.
 */
export async function sweepObject(parts: StoreParts, key: ObjectKey, budget: SweepBudget): Promise<SweepEnd> {
  const call: WriteCall = { ...budget.call, idempotency: null };
  const owner = parts.newUlid();
  let session: readonly SessionToken[] = [];
  for (let turn = 1; turn <= budget.turns && parts.now() < call.deadlineAtMs; turn += 1) {
    const sweep = await readSweep(parts, { key, owner }, call);
    if (sweep === null) return { kind: 'swept', session };
    if ('kind' in sweep) return { kind: 'unfinished', why: sweep.kind === 'denial' ? sweep : 'leased', session };
    // The last turn gives the lease back, so that the next call need not wait for its end.
    const untilMs = turn === budget.turns ? null : parts.now() + LEASE_MS;
    const end = await takeTurn(parts, { ...sweep, untilMs }, call);
    if (isDenial(end)) return { kind: 'unfinished', why: end, session };
    session = mergeSessions(session, end.session);
    if (end.isLast) return { kind: 'swept', session };
  }
  return { kind: 'unfinished', why: 'budget', session };
}

interface Sweep {
  readonly key: ObjectKey;
  readonly owner: string;
  readonly pk: string;
  readonly tombstone: ObjectItem;
  readonly entryId: string;
  readonly entry: OpenSweepItem;
  readonly head: HeadItem;
}

/** Null when there is nothing to sweep. */
async function readSweep(
  parts: StoreParts,
  { key, owner }: Pick<Sweep, 'key' | 'owner'>,
  call: WriteCall,
): Promise<Sweep | { readonly kind: 'leased' } | Denial | null> {
  const pk = partitionKeyOf(key);
  const object = await readItem(parts, { pk, id: OBJECT_ID, schema: ObjectItem, consistency: 'critical' }, call);
  if (isDenial(object)) return object;
  const tombstone = object.item;
  if (tombstone === null || !isDead(tombstone) || tombstone.swept) return null;
  const entryId = outboxId(tombstone.w);
  const entry = await readItem(parts, { pk, id: entryId, schema: SweepItem, consistency: 'critical' }, call);
  if (isDenial(entry)) return entry;
  // Another sweeper ended it since the tombstone was read.
  if (entry.item !== null && isDone(entry.item)) return null;
  const head = await readItem(parts, { pk, id: HEAD_ID, schema: HeadItem, consistency: 'critical' }, call);
  if (isDenial(head)) return head;
  if (entry.item === null || head.item === null) {
    return deny('internal', 'The object is being deleted, but what its sweep needs is not stored.');
  }
  const { lease } = entry.item;
  const isTaken = lease !== null && lease.owner !== owner && lease.untilMs > parts.now();
  return isTaken ? { kind: 'leased' } : { key, owner, pk, tombstone, entryId, entry: entry.item, head: head.item };
}

interface Turn extends Sweep {
  /** Until when the lease is kept after the turn; null gives it back. */
  readonly untilMs: number | null;
}

interface TurnEnd {
  readonly isLast: boolean;
  readonly session: readonly SessionToken[];
}

async function takeTurn(parts: StoreParts, turn: Turn, call: WriteCall): Promise<TurnEnd | Denial> {
  const { pk, key, entry, tombstone } = turn;
  const found = await liveEdgesOf(parts, { pk, limit: EDGES_A_TURN }, call);
  if (isDenial(found)) return found;
  const [first] = found.items;
  if (first === undefined) return endSweep(parts, turn, call);
  const edges = found.items.filter((edge) => edge.type === first.type);
  const rule = entry.mirrored.find((one) => one.edgeType === first.type) ?? null;
  const isDerived = rule !== null && rule.derivedFrom !== null;
  const left = isDerived ? await deleteForwards(parts, { key, rule, edges, deletedAt: tombstone.r }, call) : edges;
  if (isDenial(left)) return left;

  const w = parts.newUlid();
  const nowMs = parts.now();
  const items = left.map((edge) => tombstoneOf(edge, { w, nowMs, isDerived }));
  const pairs = items.map(({ previous, r }) => ({ to: previous.to, r }));
  const outboxes = rule === null || isDerived ? [] : outboxesOf({ from: key, rule }, pairs, nowMs);
  const counts = [{ edgeType: first.type, delta: -items.length, maxEdges: null }];
  const demands = { isOpen: false, hasRoom: false };
  const result = await send(parts, call, {
    ...{ pk, w, record: null, items: [...items, renewed(turn, w, edges.length)] },
    head: items.length === 0 ? null : { kind: 'count', counts, demands },
    outboxes: outboxItems(pk, w, outboxes),
  });
  if (isDenial(result)) return result;
  // Otherwise an edge or the entry moved under the batch: the next turn looks again.
  if (result.kind !== 'committed') return { isLast: false, session: [] };
  const applied = await applyInverses(parts, { pk, written: { w, outboxes }, live: [] }, call);
  return { isLast: false, session: mergeSessions(result.session, applied) };
}

interface Burying {
  readonly w: string;
  readonly nowMs: number;
  readonly isDerived: boolean;
}

function tombstoneOf(edge: LiveEdgeItem, { w, nowMs, isDerived }: Burying) {
  // An inverse without its forward edge must stay older than what the forward edge became or may become.
  const r = isDerived ? edge.r : revisionAfter(edge, nowMs);
  return { body: deadEdge(edge, { r, w, nowMs }), previous: edge, r };
}

/**
 * Deletes the forward edges of these inverses, as they were or as they came to be before the delete: an edge that was put
 * to the deleted object since is not taken, and its inverse follows once the partition is open. Returns the inverses whose
 * forward edge was not deleted here.
 */
async function deleteForwards(
  parts: StoreParts,
  on: {
    readonly key: ObjectKey;
    readonly rule: EdgeRule;
    readonly edges: readonly LiveEdgeItem[];
    readonly deletedAt: number;
  },
  call: WriteCall,
): Promise<readonly LiveEdgeItem[] | Denial> {
  const { key, rule, edges, deletedAt } = on;
  const results = await eachOf(edges, PARALLEL, async (inverse) => {
    const edge = forwardOf({ from: key, rule, toId: inverse.to });
    const upTo = Math.max(inverse.r, deletedAt);
    return { inverse, answer: await removeEdge(parts, { edge, mustBeOpen: false, upTo }, call) };
  });
  const left: LiveEdgeItem[] = [];
  for (const { inverse, answer } of results) {
    if (isDenial(answer)) return answer;
    if (!answer.value.deleted) left.push(inverse);
  }
  return left;
}

/** The entry with its progress: guarded, so it also says that nobody else took a turn meanwhile. */
function renewed({ pk, entryId, entry, owner, untilMs }: Turn, w: string, edges: number) {
  const { _etag, ...body } = entry;
  const lease = untilMs === null ? null : { owner, untilMs };
  return { body: { ...body, id: entryId, pk, w, lease, sweptEdges: entry.sweptEdges + edges }, previous: entry };
}

/** No live edge is left and none can come while the partition is closing, so the counts are 0. */
async function endSweep(parts: StoreParts, turn: Turn, call: WriteCall): Promise<TurnEnd | Denial> {
  const { pk, tombstone, entryId, entry, head } = turn;
  const w = parts.newUlid();
  const { _etag, ...dead } = tombstone;
  const body = { ...dead, w, swept: true, ttl: TOMBSTONE_TTL_S };
  const result = await send(parts, call, {
    ...{ pk, w, record: null, outboxes: [] },
    items: [
      { body, previous: tombstone },
      { body: outboxDone({ id: entryId, pk, w }), previous: entry },
    ],
    head: { kind: 'replace', previous: head, state: 'open', n: {} },
  });
  if (isDenial(result)) return result;
  // Another sweeper or an inverse's tombstone came between: the next turn looks again.
  return result.kind === 'committed' ? { isLast: true, session: result.session } : { isLast: false, session: [] };
}

function send(parts: StoreParts, call: WriteCall, batch: GuardedBatch): Promise<CommitResult> {
  return commit(parts, { batch, progress: { sent: false, outstanding: false } }, call);
}
