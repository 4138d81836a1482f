import type { SqlQuerySpec } from '@azure/cosmos';
import { z } from 'zod';
import { type Denial, isDenial } from '#gateway/pipeline/denial.ts';
import type { SessionToken, StoreCall } from '#gateway/pipeline/store-port.ts';
import { HEAD_ID } from '#gateway/store/layout/keys.ts';
import type { StoreParts } from '#gateway/store/parts.ts';
import { freshnessOf, readItem } from './read-item.ts';
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
  const { pk } = query;
  const { consistency } = call;
  if (consistency === 'critical') {
    const refusal = await learnNewest(parts, pk, call);
    if (refusal !== null) return refusal;
  }
  const options = freshnessOf(parts, { pk, consistency }, call);
  const reply = await runRead(parts, { pk, kind: 'query', consistency, call }, async (container, signal) => {
    const feed = { ...options, partitionKey: pk, maxItemCount: query.limit, abortSignal: signal };
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

/**
 * A query cannot be sent as a batch. A critical one first reads the head as a batch, which brings the session token of the
 * newest state, and then asks for no older one: 1 RU more, and right at every consistency that an account can have.
 */
async function learnNewest(parts: StoreParts, pk: string, call: StoreCall): Promise<Denial | null> {
  const newest = await readItem(parts, { pk, id: HEAD_ID, schema: z.unknown(), consistency: 'critical' }, call);
  return isDenial(newest) ? newest : null;
}
