import { z } from 'zod';
import { type Denial, isDenial } from '#gateway/pipeline/denial.ts';
import type { EdgeRule, ObjectKey, StorePort, WriteCall } from '#gateway/pipeline/store-port.ts';
import { HeadItem, isDead, ObjectItem, type SweepBody, TOMBSTONE_TTL_S } from '#gateway/store/layout/items.ts';
import { HEAD_ID, OBJECT_ID, partitionKeyOf } from '#gateway/store/layout/keys.ts';
import type { StoreParts } from '#gateway/store/parts.ts';
import { readItem } from '#gateway/store/read/read-item.ts';
import { mergeSessions } from '#gateway/store/session-tokens.ts';
import { itemState } from '#gateway/store/write/item-state.ts';
import { type Plan, revisionAfter, type Stamp, settle, type WriteJob } from '#gateway/store/write/settle.ts';
import { liveEdgesOf } from './live-edges.ts';
import { versionConflict } from './put-object.ts';
import { sweepObject } from './sweep-object.ts';

const Outcome = z.object({ deleted: z.boolean() });
type Outcome = z.infer<typeof Outcome>;

/** What a delete sweeps before it answers; beyond that the sweep goes on later. */
const SWEEP_TURNS = 3;
const SWEEP_WITHIN_MS = 1_000;

/**
 * Deletes an object with the edges that start from it. One batch leaves a tombstone, closes the partition and writes the
 * sweep down; from then on the object is gone, its counts are 0 and its lists are empty. A small sweep ends within the
 * call; a larger one is left open, and the next delete of the object goes on with it. Edges of an object that does not
 * exist are deleted too.
 */
export function createDeleteObject(parts: StoreParts): StorePort['deleteObject'] {
  return async (key, { ifMatch, mirrored }, call) => {
    let isUnswept = false;
    const pk = partitionKeyOf(key);
    const job: WriteJob<ObjectItem | null, Outcome> = {
      pk,
      outcome: Outcome,
      guess: null,
      read: () => itemState(parts, { pk, id: OBJECT_ID, schema: ObjectItem }, call),
      plan: async (previous, stamp) => {
        const live = previous === null || isDead(previous) ? null : previous;
        const conflict = versionConflict(live, ifMatch);
        if (conflict !== null) return conflict;
        isUnswept = previous !== null && isDead(previous) && !previous.swept;
        if (isUnswept) return { kind: 'nothing', outcome: { deleted: false } };
        return planDelete(parts, { key, mirrored, previous, stamp }, call);
      },
    };
    const result = await settle(parts, job, call);
    if (isDenial(result)) return result;
    const { outcome, written, session } = result;
    // What an earlier request of the same key deleted may still have to be swept.
    const mustSweep = written === null ? isUnswept || outcome.deleted : written.outboxes.length > 0;
    if (!mustSweep) return { kind: 'reply', value: { ...outcome, sweeping: false }, session };
    const deadlineAtMs = Math.min(call.deadlineAtMs, parts.now() + SWEEP_WITHIN_MS);
    const sweep = await sweepObject(parts, key, { call: { ...call, deadlineAtMs }, turns: SWEEP_TURNS });
    const value = { ...outcome, sweeping: sweep.kind !== 'swept' };
    return { kind: 'reply', value, session: mergeSessions(session, sweep.session) };
  };
}

interface Deleting {
  readonly key: ObjectKey;
  readonly mirrored: readonly EdgeRule[];
  readonly previous: ObjectItem | null;
  readonly stamp: Stamp;
}

async function planDelete(
  parts: StoreParts,
  { key, mirrored, previous, stamp }: Deleting,
  call: WriteCall,
): Promise<Plan<Outcome> | Denial> {
  const { w, nowMs } = stamp;
  const pk = partitionKeyOf(key);
  const found = await readItem(parts, { pk, id: HEAD_ID, schema: HeadItem, consistency: 'critical' }, call);
  if (isDenial(found)) return found;
  const head = found.item;
  const hasEdges = await isWithEdges(parts, { pk, head }, call);
  if (isDenial(hasEdges)) return hasEdges;
  const deleted = previous !== null && !isDead(previous);
  const outcome = { deleted };
  if (!deleted && !hasEdges) return { kind: 'nothing', outcome };
  // A tombstone whose sweep goes on must not expire before it ends.
  const marks = hasEdges ? { dead: true, swept: false } : { dead: true, swept: true, ttl: TOMBSTONE_TTL_S };
  const r = revisionAfter(previous, nowMs);
  const items = [{ body: { id: OBJECT_ID, pk, type: key.type, r, w, timeMs: nowMs, ...marks }, previous }];
  if (!hasEdges) {
    // Insists on the head that was read, so an edge that is put meanwhile makes this plan anew.
    const same = { kind: 'replace', previous: head, state: 'open', n: {} } as const;
    return { kind: 'write', items, head: same, outboxes: [], outcome };
  }
  const { tenant, type: fromType, id: fromId } = key;
  const sweep: SweepBody = {
    ...{ kind: 'sweep', tenant, fromType, fromId, atMs: nowMs, sweptEdges: 0, lease: null },
    mirrored: mirrored.map((rule) => ({ ...rule, forward: rule.forward && { ...rule.forward, forward: null } })),
  };
  return { kind: 'write', items, head: { kind: 'close' }, outboxes: [sweep], outcome };
}

/** The counts are believed when they say yes; a no is looked at, since a count that was lost must not keep edges. */
async function isWithEdges(
  parts: StoreParts,
  at: { readonly pk: string; readonly head: HeadItem | null },
  call: WriteCall,
): Promise<boolean | Denial> {
  const { pk, head } = at;
  if (head !== null && (head.state === 'closing' || Object.values(head.n).some((n) => n > 0))) return true;
  const live = await liveEdgesOf(parts, { pk, limit: 1 }, call);
  return isDenial(live) ? live : live.items.length > 0;
}
