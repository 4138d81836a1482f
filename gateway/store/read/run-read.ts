import type { Container } from '@azure/cosmos';
import { type Denial, deny } from '#gateway/pipeline/denial.ts';
import type { StoreCall } from '#gateway/pipeline/store-port.ts';
import type { Succeeded } from '#gateway/store/account.ts';
import { denialOf, isThrottled, isTransient } from '#gateway/store/errors.ts';
import type { StoreParts } from '#gateway/store/parts.ts';
import { attemptTimeoutMs, backoffMs, waitWithin } from '#gateway/store/wait.ts';

const MOST_TRANSIENT_RETRIES = 2;

/**
 * Runs a read until it succeeds, its deadline comes, or its retries are spent: throttling is waited out inside the
 * deadline, everything transient is tried twice more. Refuses with `deadline_exceeded`, `store_throttled` or
 * `store_unavailable`; a lagging replica is never "not found".
 */
export async function runRead<T>(
  parts: StoreParts,
  read: { readonly pk: string; readonly call: StoreCall },
  run: (container: Container, signal: AbortSignal) => Promise<T>,
): Promise<Succeeded<T> | Denial> {
  const { pk, call } = read;
  let transient = 0;
  for (let attempt = 0; ; attempt += 1) {
    if (parts.now() >= call.deadlineAtMs) return deadlineExceeded();
    const timeoutMs = attemptTimeoutMs(parts, call.deadlineAtMs);
    const result = await parts.account.attempt(call, { pk, timeoutMs }, run);
    if (result.kind === 'ok') return result;
    const { fault } = result;
    if (isTransient(fault)) transient += 1;
    const isWorthTrying = isThrottled(fault) || (isTransient(fault) && transient <= MOST_TRANSIENT_RETRIES);
    if (!isWorthTrying) return parts.now() >= call.deadlineAtMs ? deadlineExceeded() : denialOf(fault);
    const hinted = fault.kind === 'reply' ? fault.retryAfterMs : null;
    const waited = await waitWithin(parts, call.deadlineAtMs, hinted ?? backoffMs(parts, attempt, 10));
    if (!waited) return isThrottled(fault) ? denialOf(fault) : deadlineExceeded();
  }
}

function deadlineExceeded(): Denial {
  return deny('deadline_exceeded', 'The deadline passed before the store answered.');
}
