import { z } from 'zod';
import type { ObjectId } from '#gateway/contract/ids.ts';
import { type Denial, isDenial } from '#gateway/pipeline/denial.ts';
import type { ContentBinding, SessionToken, WriteCall } from '#gateway/pipeline/store-port.ts';
import { eachOf } from '#gateway/store/each-of.ts';
import { EdgeItem, isDead, type OutboxBody, storedBytes, TOMBSTONE_TTL_S } from '#gateway/store/layout/items.ts';
import { manyEdgeItemId, partitionKeyOf } from '#gateway/store/layout/keys.ts';
import { sortString } from '#gateway/store/layout/sort-string.ts';
import type { StoreParts } from '#gateway/store/parts.ts';
import { mergeSessions } from '#gateway/store/session-tokens.ts';
import { replace } from '#gateway/store/write/guarded-batch.ts';
import { outboxDone, outboxId } from '#gateway/store/write/outbox-item.ts';
import { sendBatch } from '#gateway/store/write/send-batch.ts';
import { type Plan, type Stamp, settle, type WriteJob } from '#gateway/store/write/settle.ts';

/** The state that a write left on a forward edge. */
export interface LiveForward {
  readonly toId: ObjectId;
  readonly timeMs: number;
  readonly data: Uint8Array | null;
}

export interface InverseWork {
  /** Partition of the forward edge, where the outbox entry lies. */
  readonly pk: string;
  readonly w: string;
  readonly outbox: OutboxBody;
  /** The edge that the write left live; every other pair of the entry is gone. */
  readonly live: LiveForward | null;
}

/** An inverse that is slow must not hold the caller; what is left open is applied later. */
const APPLY_WITHIN_MS = 1_000;
/** Inverses of one entry that are written side by side: each lies in another partition. */
const PARALLEL = 8;

const Outcome = z.object({});
type Outcome = z.infer<typeof Outcome>;

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
      const live = work.live?.toId === pair.to ? work.live : null;
      return settle(parts, inverseJob(parts, { outbox, pair, live }), own);
    });
    for (const result of results) if (!isDenial(result)) session = mergeSessions(session, result.session);
    if (!results.some(isDenial) && parts.now() < deadlineAtMs) await markDone(parts, work, own);
  } catch {
    // The forward edge is committed and the entry is open: the worker over the change feed meets the same fault and
    // parks the entry with its reason, which is where an operator looks for it.
  }
  return session;
}

interface Mirror {
  readonly outbox: OutboxBody;
  readonly pair: OutboxBody['pairs'][number];
  readonly live: LiveForward | null;
}

function inverseJob(parts: StoreParts, mirror: Mirror): WriteJob<EdgeItem, Outcome> {
  const { outbox, pair, live } = mirror;
  const pk = partitionKeyOf({ tenant: outbox.tenant, type: outbox.toType, id: pair.to });
  return {
    pk,
    itemId: manyEdgeItemId(outbox.inverse, outbox.fromId),
    schema: EdgeItem,
    outcome: Outcome,
    readsFirst: live === null,
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
  const id = manyEdgeItemId(outbox.inverse, outbox.fromId);
  const clear = { id, pk, type: outbox.inverse, to: outbox.fromId, r: pair.r, w: stamp.w };
  const wasLive = previous !== null && !isDead(previous);
  const oldBytes = previous === null ? 0 : storedBytes(previous);
  // A closing target takes tombstones; a live state has to wait. The limit of an inverse is its forward type's.
  const demands = { isOpen: live !== null, hasRoom: false };
  const count = (body: object, delta: -1 | 0 | 1) =>
    ({
      kind: 'count',
      counts: [{ edgeType: outbox.inverse, delta, maxEdges: null }],
      bytes: storedBytes(body) - oldBytes,
      demands,
    }) as const;
  if (live === null) {
    const body = { ...clear, timeMs: stamp.nowMs, dead: true, ttl: TOMBSTONE_TTL_S };
    return { kind: 'write', body, head: count(body, wasLive ? -1 : 0), outbox: null, outcome: {} };
  }
  const { timeMs, data } = live;
  const binding: ContentBinding = { tenant: outbox.tenant, pk, itemId: id, type: outbox.inverse, r: pair.r, timeMs };
  const content = data === null ? null : await parts.content.seal(binding, data, '');
  if (content !== null && isDenial(content)) return content;
  const s = sortString(outbox.inverse, timeMs, outbox.fromId);
  const body = { ...clear, s, timeMs, ...(content === null ? {} : { content }) };
  return { kind: 'write', body, head: count(body, wasLive ? 0 : 1), outbox: null, outcome: {} };
}

/** Done = the entry replaced by one that says so and expires. If this is lost, the worker applies once more: no harm. */
async function markDone(parts: StoreParts, work: InverseWork, call: WriteCall): Promise<void> {
  const { pk, w } = work;
  const id = outboxId(w);
  const steps = [{ role: 'outbox', id, operation: replace(outboxDone({ id, pk, w })) }] as const;
  await sendBatch(parts, { pk, steps, onSent: () => undefined, isOutstanding: false }, call);
}
