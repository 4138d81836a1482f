import type { ObjectId } from '#gateway/contract/ids.ts';
import { type Denial, isDenial } from '#gateway/pipeline/denial.ts';
import type { SessionToken, StoreCall, StorePort } from '#gateway/pipeline/store-port.ts';
import { EdgeItem, isDead, type LiveEdgeItem } from '#gateway/store/layout/items.ts';
import { edgeItemId, partitionKeyOf } from '#gateway/store/layout/keys.ts';
import type { StoreParts } from '#gateway/store/parts.ts';
import { queryPartition } from '#gateway/store/read/query-partition.ts';
import { readItem } from '#gateway/store/read/read-item.ts';
import { storedEdge } from './edge-route.ts';

/**
 * The edges to these targets that are there and within the inclusive time bounds (T5), in the order asked for. One item
 * is a point read (1 RU); several are one query by their ids.
 */
export function createGetEdges(parts: StoreParts): StorePort['getEdges'] {
  return async ({ from, rule }, want, call) => {
    const toIds = [...new Set(want.toIds)];
    const itemIds = [...new Set(toIds.map((toId) => edgeItemId(rule, toId)))];
    const found = await readItems(parts, { pk: partitionKeyOf(from), itemIds }, call);
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

interface Found {
  readonly items: readonly EdgeItem[];
  readonly session: readonly SessionToken[];
}

async function readItems(
  parts: StoreParts,
  at: { readonly pk: string; readonly itemIds: readonly string[] },
  call: StoreCall,
): Promise<Found | Denial> {
  const { pk, itemIds } = at;
  const [only, ...others] = itemIds;
  if (only === undefined) return { items: [], session: [] };
  if (others.length === 0) {
    const found = await readItem(parts, { pk, id: only, schema: EdgeItem, consistency: call.consistency }, call);
    if (isDenial(found)) return found;
    return { items: found.item === null ? [] : [found.item], session: found.session };
  }
  const parameters = itemIds.map((value, index) => ({ name: `@i${index}`, value }));
  const query = `SELECT * FROM c WHERE c.id IN (${parameters.map((parameter) => parameter.name).join(', ')})`;
  return queryPartition(parts, { pk, query: { query, parameters }, schema: EdgeItem, limit: itemIds.length }, call);
}
