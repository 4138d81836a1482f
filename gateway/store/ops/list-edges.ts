import { isDenial } from '#gateway/pipeline/denial.ts';
import type { StorePort } from '#gateway/pipeline/store-port.ts';
import { EdgeItem, isDead } from '#gateway/store/layout/items.ts';
import { partitionKeyOf } from '#gateway/store/layout/keys.ts';
import { sortRange } from '#gateway/store/layout/sort-string.ts';
import type { StoreParts } from '#gateway/store/parts.ts';
import { queryPartition } from '#gateway/store/read/query-partition.ts';
import { storedEdge } from './edge-route.ts';
import { readBetweenDeletes } from './read-between-deletes.ts';

const LIST = 'SELECT * FROM c WHERE c.s > @after AND c.s < @end ORDER BY c.s OFFSET @pos LIMIT @n';

/**
 * A range of the one index, newest first, so a page costs by its own length and not by the number of edges. One edge
 * more than the limit is read to tell whether there are more; edges that are passed over are read as well.
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
    const found = await readBetweenDeletes(
      parts,
      { from, rule, isOfSeveral: true },
      { call, read: (own) => queryPartition(parts, query, own) },
    );
    if (isDenial(found)) return found;
    const page = found.items.slice(0, want.limit);
    const edges = page.flatMap((item) => (isDead(item) ? [] : [storedEdge(from, rule, item)]));
    return { kind: 'reply', value: { edges, more: found.items.length > want.limit }, session: found.session };
  };
}
