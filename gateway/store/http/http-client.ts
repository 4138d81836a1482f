import type { CosmosClientOptions } from '@azure/cosmos';
import type { AttemptScope, AttemptScopes } from './attempt-scope.ts';
import { BrokenAttempt } from './broken-attempt.ts';
import { brokenSentence } from './broken-sentence.ts';
import { exchange, type RawReply } from './exchange.ts';
import type { FreeList } from './free-list.ts';
import { LOCAL_QUERY_PLAN } from './query-plan.ts';
import { amountOf, retryAfterOf, sdkHeaders } from './reply-headers.ts';
import { readableText } from './reply-text.ts';

export type HttpClient = NonNullable<CosmosClientOptions['httpClient']>;
type Request = Parameters<HttpClient['sendRequest']>[0];
type Response = Awaited<ReturnType<HttpClient['sendRequest']>>;

/**
 * The SDK's transport over our own list of connections. Each attempt's status, sub-status, RU and time go to the meter
 * of the scope it runs in; whatever is not a readable reply becomes `BrokenAttempt`.
 */
export function createHttpClient(list: FreeList, scopes: AttemptScopes): HttpClient {
  return {
    async sendRequest(request) {
      if (request.headers.has('x-ms-cosmos-is-query-plan-request')) {
        return respond(request, { status: 200, headers: {}, text: LOCAL_QUERY_PLAN }, null);
      }
      const scope = scopes.getStore();
      const startedAt = performance.now();
      const reply = await send(list, request, scope);
      const retryAfterMs = reply.status < 400 ? null : retryAfterOf(reply.headers);
      scope?.meter.add({
        status: reply.status,
        subStatus: amountOf(reply.headers['x-ms-substatus']),
        ru: amountOf(reply.headers['x-ms-request-charge']),
        us: Math.round((performance.now() - startedAt) * 1_000),
        retryAfterMs,
      });
      const token = reply.headers['x-ms-session-token'];
      if (scope !== undefined && typeof token === 'string' && token !== '') scope.sessionToken = token;
      const text = readableText(reply.status, reply.text);
      if (text === null) throw new BrokenAttempt(`${hostOf(request)} answered ${reply.status} without JSON.`, true);
      return respond(request, { ...reply, text }, retryAfterMs);
    },
  };
}

async function send(list: FreeList, request: Request, scope: AttemptScope | undefined): Promise<RawReply> {
  // The SDK takes no signal for the change feed; the attempt's own ends that too.
  const signal = (request.abortSignal as AbortSignal | undefined) ?? scope?.signal;
  const startedAt = performance.now();
  const body = bodyOf(request);
  let wasSent = false;
  try {
    const connection = await list.take(signal);
    if (scope !== undefined) scope.wasLent = true;
    return await exchange(connection.client, {
      method: request.method,
      path: pathOf(request.url),
      headers: request.headers.toJSON(),
      body,
      signal,
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
    throw new BrokenAttempt(brokenSentence(error, hostOf(request)), wasSent, error);
  }
}

function hostOf(request: Request): string {
  return new URL(request.url).host;
}

function pathOf(url: string): string {
  const from = url.indexOf('/', url.indexOf('://') + 3);
  return from === -1 ? '/' : url.slice(from);
}

function bodyOf(request: Request): string | Buffer | null {
  const { body } = request;
  if (body === undefined || body === null) return null;
  if (typeof body === 'string' || Buffer.isBuffer(body)) return body;
  throw new Error('The Cosmos SDK sent a body that is neither text nor bytes.');
}

function respond(request: Request, reply: RawReply, retryAfterMs: number | null): Response {
  const headers: Response['headers'] = sdkHeaders(reply.headers, retryAfterMs);
  return { request, status: reply.status, headers, bodyAsText: reply.text };
}
