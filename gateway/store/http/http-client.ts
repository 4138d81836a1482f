import type { IncomingHttpHeaders } from 'node:http';
import type { CosmosClientOptions } from '@azure/cosmos';
import type { AttemptScope, AttemptScopes } from './attempt-scope.ts';
import { BrokenAttempt } from './broken-attempt.ts';
import { exchange, type RawReply } from './exchange.ts';
import type { FreeList } from './free-list.ts';
import { LOCAL_QUERY_PLAN } from './query-plan.ts';
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
        return respond(request, { status: 200, headers: {}, text: LOCAL_QUERY_PLAN });
      }
      const scope = scopes.getStore();
      const startedAt = performance.now();
      const reply = await send(list, request, scope);
      scope?.meter.add({
        status: reply.status,
        subStatus: numberOf(reply.headers['x-ms-substatus']),
        ru: numberOf(reply.headers['x-ms-request-charge']),
        us: Math.round((performance.now() - startedAt) * 1_000),
      });
      const token = reply.headers['x-ms-session-token'];
      if (scope !== undefined && typeof token === 'string' && token !== '') scope.sessionToken = token;
      const text = readableText(reply.status, reply.text);
      if (text === null) throw new BrokenAttempt(`The store answered ${reply.status} without JSON.`, true);
      return respond(request, { ...reply, text });
    },
  };
}

async function send(list: FreeList, request: Request, scope: AttemptScope | undefined): Promise<RawReply> {
  const startedAt = performance.now();
  let wasSent = false;
  try {
    const loan = await list.take(request.abortSignal as AbortSignal | undefined);
    if (scope !== undefined) scope.wasLent = true;
    let isSound = false;
    try {
      const reply = await exchange(loan.client, {
        method: request.method,
        path: pathOf(request.url),
        headers: request.headers.toJSON(),
        body: bodyOf(request),
        signal: request.abortSignal as AbortSignal | undefined,
        onSend: () => {
          wasSent = true;
          if (scope !== undefined) scope.wasSent = true;
        },
      });
      isSound = reply.headers.connection !== 'close';
      return reply;
    } finally {
      list.giveBack(loan, isSound);
    }
  } catch (error) {
    // An attempt that broke is counted too; 0 says that no status came back.
    scope?.meter.add({ status: 0, subStatus: 0, ru: 0, us: Math.round((performance.now() - startedAt) * 1_000) });
    throw new BrokenAttempt(error instanceof Error ? error.message : 'The connection failed.', wasSent, error);
  }
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

function numberOf(header: string | string[] | undefined): number {
  const value = Number(header);
  return Number.isFinite(value) ? value : 0;
}

function respond(request: Request, reply: RawReply): Response {
  return { request, status: reply.status, headers: headersOf(reply.headers), bodyAsText: reply.text };
}

/** The few methods of the SDK's header type, over the plain record that undici gives. */
function headersOf(raw: IncomingHttpHeaders): Response['headers'] {
  const record: Record<string, string> = {};
  for (const [name, value] of Object.entries(raw)) {
    if (value !== undefined) record[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return {
    get: (name) => record[name.toLowerCase()],
    has: (name) => name.toLowerCase() in record,
    set: (name, value) => {
      record[name.toLowerCase()] = String(value);
    },
    delete: (name) => {
      delete record[name.toLowerCase()];
    },
    toJSON: () => record,
    [Symbol.iterator]: () => Object.entries(record)[Symbol.iterator](),
  };
}
