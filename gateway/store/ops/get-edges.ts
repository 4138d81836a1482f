import type { ObjectId } from '#gateway/contract/ids.ts';
import { isDenial } from '#gateway/pipeline/denial.ts';
import type { StorePort } from '#gateway/pipeline/store-port.ts';
import { EdgeItem, isDead, type LiveEdgeItem } from '#gateway/store/layout/items.ts';
import { edgeItemId, partitionKeyOf } from '#gateway/store/layout/keys.ts';
import type { StoreParts } from '#gateway/store/parts.ts';
import { readItems } from '#gateway/store/read/read-items.ts';
import { storedEdge } from './edge-route.ts';
import { readBetweenDeletes } from './read-between-deletes.ts';

/**
 * The edges to these targets that are there and within the inclusive time bounds (T5), in the order asked for. One item
 * is a point read (1 RU); several are one query by their ids. An object that is being deleted has no edges.
 */
export function createGetEdges(parts: StoreParts): StorePort['getEdges'] {
  return async ({ from, rule }, want, call) => {
    const toIds = [...new Set(want.toIds)];
    const ids = [...new Set(toIds.map((toId) => edgeItemId(rule, toId)))];
    const wanted = { from, rule, isOfSeveral: ids.length > 1 };
    const found = await readBetweenDeletes(parts, wanted, {
      call,
      read: (own) => {
        const address = { pk: partitionKeyOf(from), ids, schema: EdgeItem, consistency: own.consistency };
        return readItems(parts, address, own);
      },
    });
    if (isDenial(found)) return found;
    const byTarget = new Map<ObjectId, LiveEdgeItem>();
    for (const item of found.items) if (!isDead(item)) byTarget.set(item.to, item);
    const value = toIds.flatMap((toId) => {
      const item = byTarget.get(toId);
      const isWithin =
        item !== undefined && item.timeMs >= (want.afterMs ?? 0) && item.timeMs <= (want.beforeMs ?? Infinity);
      return isWithin ? [storedEdge(from, rule, item)] : [];
    });
    return { kind: 'reply', value, session: found.session };
  };
}
