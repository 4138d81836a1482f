import { type Denial, isDenial } from '#gateway/pipeline/denial.ts';
import type { Consistency, StoreCall, StorePort } from '#gateway/pipeline/store-port.ts';
import { EdgeItem, HeadItem, isDead } from '#gateway/store/layout/items.ts';
import { HEAD_ID, partitionKeyOf } from '#gateway/store/layout/keys.ts';
import { sortRange } from '#gateway/store/layout/sort-string.ts';
import type { StoreParts } from '#gateway/store/parts.ts';
import { queryPartition } from '#gateway/store/read/query-partition.ts';
import { readItem } from '#gateway/store/read/read-item.ts';
import { storedEdge } from './edge-route.ts';

const LIST = 'SELECT * FROM c WHERE c.s > @after AND c.s < @end ORDER BY c.s OFFSET @pos LIMIT @n';

/**
 * A range of the one index, newest first, so a page costs by its own length and not by the number of edges. One edge
 * more than the limit is read to tell whether there are more; edges that are passed over are read as well. Beside it the head is read (1 RU): while the object is
 * being deleted its lists are empty, however many of its edges wait for the sweep.
 */
export function createListEdges(parts: StoreParts): StorePort['listEdges'] {
  return async ({ from, rule }, want, call) => {
    const { after, end } = sortRange(rule.edgeType, want, want.afterS);
    const n = want.limit + 1;
    const parameters = [
      { name: '@after', value: after },
      { name: '@end', value: end },
      { name: '@pos', value: want.pos ?? 0 },
      { name: '@n', value: n },
    ];
    const query = { pk: partitionKeyOf(from), query: { query: LIST, parameters }, schema: EdgeItem, limit: n };
    const [found, closing] = await Promise.all([
      queryPartition(parts, query, call),
      isBeingDeleted(parts, { pk: query.pk, consistency: call.consistency }, call),
    ]);
    if (isDenial(found)) return found;
    if (isDenial(closing)) return closing;
    if (closing) return { kind: 'reply', value: { edges: [], more: false }, session: found.session };
    const page = found.items.slice(0, want.limit);
    const edges = page.flatMap((item) => (isDead(item) ? [] : [storedEdge(from, rule, item)]));
    return { kind: 'reply', value: { edges, more: found.items.length > want.limit }, session: found.session };
  };
}

async function isBeingDeleted(
  parts: StoreParts,
  at: { readonly pk: string; readonly consistency: Consistency },
  call: StoreCall,
): Promise<boolean | Denial> {
  const head = await readItem(parts, { ...at, id: HEAD_ID, schema: HeadItem }, call);
  return isDenial(head) ? head : head.item?.state === 'closing';
}
