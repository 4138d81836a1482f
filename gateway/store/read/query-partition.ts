import type { SqlQuerySpec } from '@azure/cosmos';
import type { z } from 'zod';
import { type Denial, isDenial } from '#gateway/pipeline/denial.ts';
import type { SessionToken, StoreCall } from '#gateway/pipeline/store-port.ts';
import type { StoreParts } from '#gateway/store/parts.ts';
import { readOptions } from './read-item.ts';
import { runRead } from './run-read.ts';

export interface PartitionQuery<T> {
  readonly pk: string;
  readonly query: SqlQuerySpec;
  readonly schema: z.ZodType<T>;
  /** Most items that the query can give. */
  readonly limit: number;
}

export interface QueryResult<T> {
  readonly kind: 'queried';
  readonly items: readonly T[];
  readonly session: readonly SessionToken[];
}

/**
 * A query of one partition, read to its end. Cosmos cuts a reply at 4 MB, so it may take more than one request; their
 * continuation never leaves this function.
 */
export async function queryPartition<T>(
  parts: StoreParts,
  query: PartitionQuery<T>,
  call: StoreCall,
): Promise<QueryResult<T> | Denial> {
  const options = readOptions(parts, { pk: query.pk, consistency: call.consistency }, call);
  const reply = await runRead(parts, { pk: query.pk, call }, async (container, signal) => {
    const feed = { ...options, partitionKey: query.pk, maxItemCount: query.limit, abortSignal: signal };
    const iterator = container.items.query<unknown>(query.query, feed);
    const found: unknown[] = [];
    while (found.length < query.limit && iterator.hasMoreResults()) {
      const page = await iterator.fetchNext();
      found.push(...page.resources);
    }
    return found;
  });
  if (isDenial(reply)) return reply;
  const items = reply.value.map((item) => query.schema.parse(item));
  return { kind: 'queried', items, session: reply.session };
}
