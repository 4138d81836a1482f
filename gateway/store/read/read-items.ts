import type { z } from 'zod';
import { type Denial, isDenial } from '#gateway/pipeline/denial.ts';
import type { Consistency, StoreCall } from '#gateway/pipeline/store-port.ts';
import type { StoreParts } from '#gateway/store/parts.ts';
import { type QueryResult, queryPartition } from './query-partition.ts';
import { readItem } from './read-item.ts';

export interface ItemsAddress<T> {
  readonly pk: string;
  readonly ids: readonly string[];
  readonly schema: z.ZodType<T>;
  readonly consistency: Consistency;
}

/** Items of one partition by their ids, those that are there. One is a point read (1 RU); several are one query. */
export async function readItems<T>(
  parts: StoreParts,
  { pk, ids, schema, consistency }: ItemsAddress<T>,
  call: StoreCall,
): Promise<QueryResult<T> | Denial> {
  const [only, ...others] = ids;
  if (only === undefined) return { kind: 'queried', items: [], session: [] };
  if (others.length === 0) {
    const found = await readItem(parts, { pk, id: only, schema, consistency }, call);
    if (isDenial(found)) return found;
    return { kind: 'queried', items: found.item === null ? [] : [found.item], session: found.session };
  }
  const parameters = ids.map((value, index) => ({ name: `@i${index}`, value }));
  const query = `SELECT * FROM c WHERE c.id IN (${parameters.map(({ name }) => name).join(', ')})`;
  const question = { pk, query: { query, parameters }, schema, limit: ids.length };
  return queryPartition(parts, question, { ...call, consistency });
}
