import type { ErrorFields } from '#gateway/client/habitat-error.ts';
import type { Operation } from '#gateway/client/operation.ts';
import { callBatch } from './batch.ts';
import { type CallContext, call } from './call.ts';

/** Longer paths are sent as a batch of one: a gateway takes headers of 16 KB together with the path. */
const LONGEST_PATH = 4_096;

/** One operation by itself. Rejects with a HabitatError. `earlier` is what it was refused with as part of a batch. */
export async function perform<R>(
  operation: Operation<R>,
  context: CallContext,
  how: { readonly idempotencyKey?: string | null | undefined; readonly earlier?: ErrorFields } = {},
): Promise<R> {
  const http = operation.toHttp();
  if (http.path.length > LONGEST_PATH) {
    const [settled] = await callBatch([operation], context, how.idempotencyKey);
    if (settled === undefined) throw new TypeError('A batch of one had no result.');
    if (settled.ok) return settled.value;
    throw settled.error;
  }
  const parts = [{ operation: operation.name, about: operation.about }];
  const { isRead, name } = operation;
  const request = { ...http, operation: name, parts, isRead, idempotencyKey: how.idempotencyKey };
  const called = await call(request, context, how.earlier);
  if ('answer' in called) return operation.read(called.answer);
  const { code } = called.refusal;
  if (code in operation.answers) return operation.answers[code] as R;
  throw called.error();
}
