import { ERRORS, type ErrorBody } from '#gateway/contract/errors.ts';
import type { Denial } from '#gateway/pipeline/denial.ts';

/** A refusal as its caller reads it. `help` leads to the console's page about that request, which knows the code even when no record is kept. */
export function errorBodyOf(denial: Denial, requestId: string, consoleUrl: string): ErrorBody {
  const { code, message, retryAfterMs, policy, details } = denial;
  const { retryable } = ERRORS[code];
  const help = `${originOf(consoleUrl)}/requests/${requestId}?code=${code}`;
  const error: ErrorBody['error'] = { code, message, requestId, retryable, help };
  if (retryAfterMs !== undefined) error.retryAfterMs = retryAfterMs;
  if (policy !== undefined) error.policy = policy;
  if (details !== undefined) error.details = details;
  return { error };
}

let known = { consoleUrl: '', origin: '' };

/** A process has one console, so parsing its address once is enough. */
function originOf(consoleUrl: string): string {
  if (known.consoleUrl !== consoleUrl) known = { consoleUrl, origin: new URL(consoleUrl).origin };
  return known.origin;
}
