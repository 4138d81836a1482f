import type { AttemptScope } from './attempt-scope.ts';
import { BrokenAttempt } from './broken-attempt.ts';
import { brokenSentence } from './broken-sentence.ts';
import { exchange, type RawReply } from './exchange.ts';
import type { FreeList } from './free-list.ts';
import { amountOf, retryAfterOf } from './reply-headers.ts';
import { readableText } from './reply-text.ts';

export interface WireRequest {
  readonly method: string;
  readonly host: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string | Buffer | null;
  readonly signal: AbortSignal | undefined;
}

export interface WireReply extends RawReply {
  /** How long a failure asks to wait; null when it does not say, or is none. */
  readonly retryAfterMs: number | null;
}

/**
 * One request over one of the connections. Its status, sub-status, RU and time go to the meter of the scope, and its
 * session token to the scope; whatever is not a readable reply becomes `BrokenAttempt`.
 */
export async function sendMetered(
  list: FreeList,
  request: WireRequest,
  scope: AttemptScope | undefined,
): Promise<WireReply> {
  const startedAt = performance.now();
  const reply = await send(list, request, scope);
  const { status, headers } = reply;
  const retryAfterMs = status < 400 ? null : retryAfterOf(headers);
  scope?.meter.add({
    status,
    subStatus: amountOf(headers['x-ms-substatus']),
    ru: amountOf(headers['x-ms-request-charge']),
    us: Math.round((performance.now() - startedAt) * 1_000),
    retryAfterMs,
  });
  const token = headers['x-ms-session-token'];
  if (scope !== undefined && typeof token === 'string' && token !== '') scope.sessionToken = token;
  const text = readableText(status, reply.text);
  if (text === null) throw new BrokenAttempt(`${request.host} answered ${status} without JSON.`, true);
  return { status, headers, text, retryAfterMs };
}

async function send(list: FreeList, request: WireRequest, scope: AttemptScope | undefined): Promise<RawReply> {
  const { method, path, headers, body, host } = request;
  // The SDK takes no signal for the change feed; the attempt's own ends that too.
  const signal = request.signal ?? scope?.signal;
  const startedAt = performance.now();
  let wasSent = false;
  try {
    const connection = await list.take(signal);
    if (scope !== undefined) scope.wasLent = true;
    return await exchange(connection.client, {
      ...{ method, path, headers, body, signal },
      onSend: () => {
        wasSent = true;
        if (scope !== undefined) scope.wasSent = true;
      },
      onFree: (isSound) => list.giveBack(connection, isSound),
      onAbandon: () => list.noteAbandoned(connection),
    });
  } catch (error) {
    // An attempt that broke is counted too; 0 says that no status came back.
    const us = Math.round((performance.now() - startedAt) * 1_000);
    scope?.meter.add({ status: 0, subStatus: 0, ru: 0, us, retryAfterMs: null });
    throw new BrokenAttempt(brokenSentence(error, host), wasSent, error);
  }
}
