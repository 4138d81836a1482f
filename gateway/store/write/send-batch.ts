import type { OperationResponse } from '@azure/cosmos';
import type { SessionToken, StoreCall } from '#gateway/pipeline/store-port.ts';
import { type Fault, isDefinite, isMoved, isThrottled } from '#gateway/store/errors.ts';
import type { StoreParts } from '#gateway/store/parts.ts';
import { attemptTimeoutMs } from '#gateway/store/wait.ts';
import type { WriteOutcome } from '#gateway/store/write-marks.ts';
import type { Role, Step } from './guarded-batch.ts';

export type BatchResult =
  | { readonly kind: 'committed'; readonly session: readonly SessionToken[] }
  /** Rolled back because of this operation. */
  | { readonly kind: 'failed'; readonly role: Role; readonly id: string; readonly status: number }
  | { readonly kind: 'throttled'; readonly fault: Fault }
  /** No byte left. */
  | { readonly kind: 'unsent'; readonly fault: Fault }
  /** The region takes no writes any more; the account document was read again. */
  | { readonly kind: 'moved'; readonly fault: Fault }
  /** It certainly did not happen, and will not by repeating. */
  | { readonly kind: 'refused'; readonly fault: Fault }
  /** It may have happened, or may yet. */
  | { readonly kind: 'unknown' };

const FAILED_DEPENDENCY = 424;

export interface SentBatch {
  readonly pk: string;
  readonly steps: readonly Step[];
  readonly onSent: () => void;
  /** An earlier copy may have committed: sent whatever the breaker says. */
  readonly isOutstanding: boolean;
}

/**
 * Sends one transactional batch once. It committed only if the reply is 200 and each result 2xx: the SDK does not throw
 * for a rolled-back batch but resolves with 207, whose outcome is the single result that is not 424. A 207 without
 * exactly one such result says nothing, and counts as unknown. Everything that this process writes goes through here, and
 * its partition is marked before and after, so that nobody shows what was read in between as the present state.
 */
export async function sendBatch(parts: StoreParts, batch: SentBatch, call: StoreCall): Promise<BatchResult> {
  const { writes } = parts.account;
  let outcome: WriteOutcome = 'late';
  writes.begin(batch.pk);
  try {
    const result = await sendOnce(parts, batch, call);
    outcome = outcomeOf(result);
    return result;
  } finally {
    writes.end(batch.pk, outcome);
  }
}

function outcomeOf({ kind }: BatchResult): WriteOutcome {
  if (kind === 'unknown') return 'late';
  return kind === 'committed' ? 'done' : 'nothing';
}

async function sendOnce(parts: StoreParts, batch: SentBatch, call: StoreCall): Promise<BatchResult> {
  const { pk, steps, onSent, isOutstanding } = batch;
  const timeoutMs = attemptTimeoutMs(parts, call.deadlineAtMs);
  const limits = { pk, onSent, timeoutMs, isForced: isOutstanding };
  const operations = steps.map((step) => step.operation);
  const sent = await parts.account.write(call, limits, async (container, signal) => {
    const response = await container.items.batch(operations, pk, {
      abortSignal: signal,
      contentResponseOnWriteEnabled: false,
    });
    return { status: response.code ?? 0, results: response.result ?? [] };
  });
  if (sent.kind === 'ok') return readResults(steps, sent.value) ?? { kind: 'committed', session: sent.session };
  const { fault } = sent;
  if (isThrottled(fault)) return { kind: 'throttled', fault };
  if (isMoved(fault)) return { kind: 'moved', fault };
  if (!isDefinite(fault)) return { kind: 'unknown' };
  return fault.kind === 'reply' ? { kind: 'refused', fault } : { kind: 'unsent', fault };
}

/** Null when each operation succeeded. */
function readResults(
  steps: readonly Step[],
  reply: { readonly status: number; readonly results: readonly OperationResponse[] },
): BatchResult | null {
  const { status, results } = reply;
  if (results.length !== steps.length) return { kind: 'unknown' };
  const failures = results
    .map((result, index) => ({ status: result.statusCode, step: steps[index], retryAfterMs: waitOf(result) }))
    .filter((result) => result.status < 200 || result.status > 299);
  if (failures.length === 0) return status === 200 ? null : { kind: 'unknown' };
  const causes = failures.filter((result) => result.status !== FAILED_DEPENDENCY);
  const cause = causes.length === 1 ? causes[0] : undefined;
  if (cause?.step === undefined) return { kind: 'unknown' };
  const { retryAfterMs } = cause;
  const { role, id } = cause.step;
  const fault: Fault = { kind: 'reply', status: cause.status, subStatus: 0, retryAfterMs };
  if (isThrottled(fault)) return { kind: 'throttled', fault };
  return isDefinite(fault) ? { kind: 'failed', role, id, status: cause.status } : { kind: 'unknown' };
}

/** How long a throttled operation asks to wait; the SDK's type knows nothing of it, and hands it through. */
function waitOf(result: OperationResponse): number | null {
  const value: unknown = Reflect.get(result, 'retryAfterMilliseconds');
  return typeof value === 'number' && value >= 0 ? value : null;
}
