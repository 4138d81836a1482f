import type { Denial } from '#gateway/pipeline/denial.ts';
import type { StoreCall } from '#gateway/pipeline/store-port.ts';
import { LiveEdge, type LiveEdgeItem } from '#gateway/store/layout/items.ts';
import type { StoreParts } from '#gateway/store/parts.ts';
import { type QueryResult, queryPartition } from '#gateway/store/read/query-partition.ts';

/** Only live edges have a sort string, and every one begins with a letter. */
const ALL = "SELECT * FROM c WHERE c.s > '' AND c.s < '~' ORDER BY c.s OFFSET 0 LIMIT @n";

/** The first live edges of a partition, whatever their type, ordered by type; by a critical read. */
export function liveEdgesOf(
  parts: StoreParts,
  at: { readonly pk: string; readonly limit: number },
  call: StoreCall,
): Promise<QueryResult<LiveEdgeItem> | Denial> {
  const { pk, limit } = at;
  const query = { query: ALL, parameters: [{ name: '@n', value: limit }] };
  return queryPartition(parts, { pk, query, schema: LiveEdge, limit }, { ...call, consistency: 'critical' });
}
