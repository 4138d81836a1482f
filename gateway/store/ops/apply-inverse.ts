import { z } from 'zod';
import type { EdgeTypeName, ObjectId } from '#gateway/contract/ids.ts';
import { type Denial, isDenial } from '#gateway/pipeline/denial.ts';
import type { SessionToken, WriteCall } from '#gateway/pipeline/store-port.ts';
import { eachOf } from '#gateway/store/each-of.ts';
import { EdgeItem, isDead, type OutboxBody, type SweepBody } from '#gateway/store/layout/items.ts';
import { manyEdgeItemId, partitionKeyOf } from '#gateway/store/layout/keys.ts';
import type { StoreParts } from '#gateway/store/parts.ts';
import { mergeSessions } from '#gateway/store/session-tokens.ts';
import { replace } from '#gateway/store/write/guarded-batch.ts';
import type { HeadWrite } from '#gateway/store/write/head.ts';
import { itemState } from '#gateway/store/write/item-state.ts';
import { outboxDone, outboxId } from '#gateway/store/write/outbox-item.ts';
import { type BatchResult, sendBatch } from '#gateway/store/write/send-batch.ts';
import { type Plan, type Settled, type Stamp, settle, type WriteJob } from '#gateway/store/write/settle.ts';
import { deadEdge, liveEdge } from './edge-bodies.ts';

/** A forward edge that a write left live. */
export interface LiveForward {
  readonly edgeType: EdgeTypeName;
  readonly toId: ObjectId;
  readonly timeMs: number;
  readonly data: Uint8Array | null;
}

export interface InverseWork {
  /** Partition of the forward edge, where the outbox entry lies. */
  readonly pk: string;
  readonly entry: { readonly id: string; readonly w: string };
  readonly outbox: OutboxBody;
  /** The edges that the write left live; every other pair of the entry is gone. */
  readonly live: readonly LiveForward[];
}

/** An inverse that is slow must not hold the caller; what is left open is applied later. */
const APPLY_WITHIN_MS = 1_000;
/** Inverses of one entry that are written side by side: each lies in another partition. */
const PARALLEL = 8;

const Outcome = z.object({});
type Outcome = z.infer<typeof Outcome>;

/** A committed write of one partition, as far as its inverses go. */
export interface Mirrored {
  readonly pk: string;
  /** Null when nothing was written. */
  readonly written: { readonly w: string; readonly outboxes: readonly (OutboxBody | SweepBody)[] } | null;
  readonly live: readonly LiveForward[];
}

/** Applies the inverses of a write right after it. See `applyInverse`. */
export async function applyInverses(
  parts: StoreParts,
  { pk, written, live }: Mirrored,
  call: WriteCall,
): Promise<readonly SessionToken[]> {
  let session: readonly SessionToken[] = [];
  for (const [index, outbox] of written?.outboxes.entries() ?? []) {
    if (outbox.kind !== 'pairs' || written === null) continue;
    const { w } = written;
    const work = { pk, entry: { id: outboxId(w, index), w }, outbox, live };
    session = mergeSessions(session, await applyInverse(parts, work, call));
  }
  return session;
}

/**
 * Mirrors what a committed write left on its forward edges into the partitions of their targets, each with the forward
 * edge's revision and only if that is newer, then marks the outbox entry done. Idempotent, and safe beside any other
 * application of the same or a newer state. Never fails the write: what could not be applied leaves the entry open.
 */
export async function applyInverse(
  parts: StoreParts,
  work: InverseWork,
  call: WriteCall,
): Promise<readonly SessionToken[]> {
  const deadlineAtMs = Math.min(call.deadlineAtMs, parts.now() + APPLY_WITHIN_MS);
  const own: WriteCall = { ...call, deadlineAtMs, idempotency: null };
  let session: readonly SessionToken[] = [];
  try {
    const { outbox } = work;
    const results = await eachOf(outbox.pairs, PARALLEL, (pair) => {
      const live = work.live.find((one) => one.edgeType === outbox.edgeType && one.toId === pair.to) ?? null;
      return mirrorPair(parts, { outbox, pair, live }, own);
    });
    for (const result of results) if (!isDenial(result)) session = mergeSessions(session, result.session);
    if (!results.some(isDenial) && parts.now() < deadlineAtMs) await markDone(parts, work, own);
  } catch {
    // The forward edge is committed and the entry is open: the worker over the change feed meets the same fault and
    // parks the entry with its reason, which is where an operator looks for it.
  }
  return session;
}

/** Writes the state of one forward edge, live or gone, to its inverse, if that is newer. */
export function mirrorPair(parts: StoreParts, mirror: Mirror, call: WriteCall): Promise<Settled<Outcome> | Denial> {
  return settle(parts, inverseJob(parts, mirror, call), call);
}

export interface Mirror {
  readonly outbox: OutboxBody;
  readonly pair: OutboxBody['pairs'][number];
  readonly live: LiveForward | null;
}

function inverseJob(parts: StoreParts, mirror: Mirror, call: WriteCall): WriteJob<EdgeItem | null, Outcome> {
  const { outbox, pair, live } = mirror;
  const pk = partitionKeyOf({ tenant: outbox.tenant, type: outbox.toType, id: pair.to });
  return {
    pk,
    outcome: Outcome,
    guess: live === null ? null : { state: null },
    read: () => itemState(parts, { pk, id: manyEdgeItemId(outbox.inverse, outbox.fromId), schema: EdgeItem }, call),
    plan: async (previous, stamp) => {
      if (previous !== null && previous.r >= pair.r) return { kind: 'nothing', outcome: {} };
      return planInverse(parts, { ...mirror, pk, previous }, stamp);
    },
  };
}

async function planInverse(
  parts: StoreParts,
  on: Mirror & { readonly pk: string; readonly previous: EdgeItem | null },
  stamp: Stamp,
): Promise<Plan<Outcome> | Denial> {
  const { outbox, pair, live, pk, previous } = on;
  const { r } = pair;
  const { tenant, inverse: type, fromId: to } = outbox;
  const place = { tenant, pk, id: manyEdgeItemId(type, to), type, to };
  const body =
    live === null
      ? deadEdge(place, { ...stamp, r })
      : await liveEdge(parts, place, { r, w: stamp.w, timeMs: live.timeMs, data: live.data });
  if (isDenial(body)) return body;
  const wasLive = previous !== null && !isDead(previous);
  const head: HeadWrite = {
    kind: 'count',
    counts: [{ edgeType: type, delta: Number(live !== null) - Number(wasLive), maxEdges: null }],
    // A closing target takes tombstones; a live state has to wait. The limit of an inverse is its forward type's.
    demands: { isOpen: live !== null, hasRoom: false },
  };
  return { kind: 'write', items: [{ body, previous }], head, outboxes: [], outcome: {} };
}

/** Done = the entry replaced by one that says so and expires. If this is lost, the worker applies once more: no harm. */
export function markDone(
  parts: StoreParts,
  { pk, entry }: Pick<InverseWork, 'pk' | 'entry'>,
  call: WriteCall,
): Promise<BatchResult> {
  const steps = [{ role: 'outbox', id: entry.id, operation: replace(outboxDone({ ...entry, pk })) }] as const;
  return sendBatch(parts, { pk, steps, onSent: () => undefined, isOutstanding: false }, call);
}
