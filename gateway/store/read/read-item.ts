import { ErrorResponse, type RequestOptions } from '@azure/cosmos';
import type { z } from 'zod';
import { type Denial, isDenial } from '#gateway/pipeline/denial.ts';
import type { Consistency, SessionToken, StoreCall } from '#gateway/pipeline/store-port.ts';
import type { StoreParts } from '#gateway/store/parts.ts';
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
}

/** One point read, 1 RU per KB. An item that does not parse is an error of this gateway and throws. */
export async function readItem<T>(
  parts: StoreParts,
  address: ItemAddress<T>,
  call: StoreCall,
): Promise<ReadItem<T> | Denial> {
  const { pk, id, schema } = address;
  const options = readOptions(parts, address, call);
  const reply = await runRead(parts, { pk, call }, async (container, signal) => {
    const response = await container.item(id, pk).read({ ...options, abortSignal: signal });
    if (response.statusCode === 404 && (response.substatus ?? 0) !== 0) throw notFoundElsewhere(response.substatus);
    return response.statusCode === 404 ? null : response.resource;
  });
  if (isDenial(reply)) return reply;
  return { kind: 'read', item: reply.value === null ? null : schema.parse(reply.value), session: reply.session };
}

/** Consistency and session token as one read sends them; a critical read asks for the account's own level. */
export function readOptions(
  parts: StoreParts,
  read: { readonly pk: string; readonly consistency: Consistency },
  call: StoreCall,
): RequestOptions {
  if (read.consistency === 'critical') return {};
  if (read.consistency === 'eventual') return { consistencyLevel: 'Eventual' };
  const sessionToken = parts.account.tokens.forRead(read.pk, call.session);
  return { consistencyLevel: 'Session', ...(sessionToken === undefined ? {} : { sessionToken }) };
}

/** The SDK hands every 404 of a read back as a response; one with a sub-status is not about the item. */
function notFoundElsewhere(substatus: number | undefined): ErrorResponse {
  const error = new ErrorResponse('Not found for another reason than a missing item.');
  error.code = 404;
  if (substatus !== undefined) error.substatus = substatus;
  return error;
}
