import type { Container } from '@azure/cosmos';
import type { z } from 'zod';
import { type Denial, isDenial } from '#gateway/pipeline/denial.ts';
import type { Consistency, SessionToken, StoreCall } from '#gateway/pipeline/store-port.ts';
import type { StoreParts } from '#gateway/store/parts.ts';
import type { Freshness, Place } from '#gateway/store/points/point-reads.ts';
import { RefusedReply } from '#gateway/store/points/refused-reply.ts';
import { runRead } from './run-read.ts';

/** A point read's result; `item` is null when nothing is stored there. */
export interface ReadItem<T> {
  readonly kind: 'read';
  readonly item: T | null;
  readonly session: readonly SessionToken[];
}

export interface ItemAddress<T> {
  readonly pk: string;
  readonly id: string;
  readonly schema: z.ZodType<T>;
  /** The call's own consistency, or `critical` where the read decides a write. */
  readonly consistency: Consistency;
  /** Read until the deadline, whatever the breaker says. */
  readonly insists?: boolean;
}

/** One point read, 1 RU per KB. An item that does not parse is an error of this gateway and throws. */
export async function readItem<T>(
  parts: StoreParts,
  address: ItemAddress<T>,
  call: StoreCall,
): Promise<ReadItem<T> | Denial> {
  const { pk, schema, consistency, insists = false } = address;
  const read = { pk, kind: 'point', consistency, insists, call } as const;
  const reply = await runRead(parts, read, (container, signal, points) =>
    consistency === 'critical'
      ? readAsBatch(container, address, signal)
      : points.read(address, freshnessOf(parts, address, call), signal),
  );
  if (isDenial(reply)) return reply;
  return { kind: 'read', item: reply.value === null ? null : schema.parse(reply.value), session: reply.session };
}

/** Consistency and session token as one read sends them. */
export function freshnessOf(
  parts: StoreParts,
  read: { readonly pk: string; readonly consistency: Consistency },
  call: StoreCall,
): Freshness {
  if (read.consistency === 'eventual') return { consistencyLevel: 'Eventual' };
  const sessionToken = parts.account.tokens.forRead(read.pk, call.session);
  return { consistencyLevel: 'Session', ...(sessionToken === undefined ? {} : { sessionToken }) };
}

/**
 * A batch of one read: only the region that takes writes serves it, whatever the account's consistency and whatever this
 * gateway believes of its regions. A plain read in a region that writes have left would answer, out of date.
 */
async function readAsBatch(container: Container, { pk, id }: Place, abortSignal: AbortSignal): Promise<unknown> {
  const { result = [], code } = await container.items.batch([{ operationType: 'Read', id }], pk, { abortSignal });
  const [found] = result;
  if (found === undefined) throw new RefusedReply(code ?? 500);
  if (found.statusCode === 404) return null;
  if (found.statusCode !== 200) throw new RefusedReply(found.statusCode);
  return found.resourceBody;
}
