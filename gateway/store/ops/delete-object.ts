import { z } from 'zod';
import { type Denial, deny, isDenial } from '#gateway/pipeline/denial.ts';
import type { ObjectKey, StorePort, WriteCall } from '#gateway/pipeline/store-port.ts';
import { HeadItem, isDead, ObjectItem, storedBytes, TOMBSTONE_TTL_S } from '#gateway/store/layout/items.ts';
import { HEAD_ID, OBJECT_ID, partitionKeyOf } from '#gateway/store/layout/keys.ts';
import type { StoreParts } from '#gateway/store/parts.ts';
import { readItem } from '#gateway/store/read/read-item.ts';
import { type Plan, type Stamp, settle, type WriteJob } from '#gateway/store/write/settle.ts';
import { versionConflict } from './put-object.ts';

const Outcome = z.object({ deleted: z.boolean() });
type Outcome = z.infer<typeof Outcome>;

/**
 * Leaves a tombstone of an object that has no edges; with edges it refuses with `object_has_edges`. The head that was
 * read is guarded in the same batch (and created when there is none), so an edge that is put meanwhile makes this plan
 * anew. Deleting what is not there changes nothing.
 */
export function createDeleteObject(parts: StoreParts): StorePort['deleteObject'] {
  return async (key, precondition, call) => {
    const job: WriteJob<ObjectItem, Outcome> = {
      pk: partitionKeyOf(key),
      itemId: OBJECT_ID,
      schema: ObjectItem,
      outcome: Outcome,
      readsFirst: true,
      plan: async (previous, stamp) => {
        const live = previous === null || isDead(previous) ? null : previous;
        const conflict = versionConflict(live, precondition.ifMatch);
        if (conflict !== null) return conflict;
        if (live === null) return { kind: 'nothing', outcome: { deleted: false } };
        return planDelete(parts, { key, stamp }, call);
      },
    };
    const result = await settle(parts, job, call);
    return isDenial(result) ? result : { kind: 'reply', value: result.outcome, session: result.session };
  };
}

async function planDelete(
  parts: StoreParts,
  target: { readonly key: ObjectKey; readonly stamp: Stamp },
  call: WriteCall,
): Promise<Plan<Outcome> | Denial> {
  const { key, stamp } = target;
  const { r, w, nowMs } = stamp;
  const pk = partitionKeyOf(key);
  const head = await readItem(parts, { pk, id: HEAD_ID, schema: HeadItem, consistency: 'critical' }, call);
  if (isDenial(head)) return head;
  if (head.item?.state === 'closing') return deny('delete_in_progress', 'The object is being deleted with its edges.');
  const edgeTypes = Object.entries(head.item?.n ?? {}).flatMap(([edgeType, n]) => (n > 0 ? [edgeType] : []));
  if (edgeTypes.length > 0) {
    return deny('object_has_edges', `The object has edges of type ${edgeTypes.join(', ')}.`, {
      details: { edgeTypes },
    });
  }
  const marks = { dead: true, swept: true, ttl: TOMBSTONE_TTL_S };
  const body = { id: OBJECT_ID, pk, type: key.type, r, w, timeMs: nowMs, ...marks };
  const guard = { kind: 'guard', etag: head.item?._etag ?? null, bytes: storedBytes(body) } as const;
  return { kind: 'write', body, head: guard, outbox: null, outcome: { deleted: true } };
}
