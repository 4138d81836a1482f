import { randomUUID } from 'node:crypto';
import { HabitatError } from '#gateway/client/habitat-error.ts';
import type { Operation, Settled } from '#gateway/client/operation.ts';
import { type BatchResult, outcomeOfResult } from './answer.ts';
import { type CallContext, call } from './call.ts';

/** Most operations of one batch. */
export const MOST_OPERATIONS = 100;

/**
 * Operations as one request, each with its own outcome. Rejects with a HabitatError when the batch as a whole has none.
 * With writes in it, it carries one key for all, which each write's own is made of.
 */
export async function callBatch<R>(
  operations: readonly Operation<R>[],
  context: CallContext,
  idempotencyKey: string | null | undefined,
): Promise<readonly Settled<R, HabitatError>[]> {
  const key = idempotencyKey === undefined ? randomUUID() : idempotencyKey;
  const isRead = operations.every((operation) => operation.isRead);
  const called = await call(
    {
      method: 'POST',
      path: '/batch',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ operations: operations.map((operation) => operation.toFields()) }),
      operation: 'batch',
      parts: operations.map(({ name, about }) => ({ operation: name, about })),
      isRead,
      idempotencyKey: key,
    },
    context,
  );
  if ('refusal' in called) throw called.error();
  const { results } = called.answer.json<{ results: readonly BatchResult[] }>();
  return operations.map((operation, index) => settle(operation, results[index], isRead ? null : key));
}

function settle<R>(
  operation: Operation<R>,
  result: BatchResult | undefined,
  idempotencyKey: string | null,
): Settled<R, HabitatError> {
  if (result === undefined) throw new TypeError('A batch answered with fewer results than it had operations.');
  const outcome = outcomeOfResult(result);
  if ('answer' in outcome) return { ok: true, value: operation.read(outcome.answer) };
  const { refusal } = outcome;
  if (refusal.code in operation.answers) return { ok: true, value: operation.answers[refusal.code] as R };
  const mayHaveWritten = !operation.isRead && refusal.code === 'outcome_unknown';
  const call = { operation: operation.name, idempotencyKey, mayHaveWritten, attempts: 1 };
  return { ok: false, error: new HabitatError({ ...refusal, ...call }) };
}
