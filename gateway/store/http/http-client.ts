import type { CosmosClientOptions } from '@azure/cosmos';
import type { AttemptScopes } from './attempt-scope.ts';
import type { RawReply } from './exchange.ts';
import type { FreeList } from './free-list.ts';
import { LOCAL_QUERY_PLAN } from './query-plan.ts';
import { sdkHeaders } from './reply-headers.ts';
import { sendMetered } from './send-metered.ts';

export type HttpClient = NonNullable<CosmosClientOptions['httpClient']>;
type Request = Parameters<HttpClient['sendRequest']>[0];
type Response = Awaited<ReturnType<HttpClient['sendRequest']>>;

/** The SDK's transport over our own list of connections; attempts are metered in the scope that they run in. */
export function createHttpClient(list: FreeList, scopes: AttemptScopes): HttpClient {
  return {
    async sendRequest(request) {
      if (request.headers.has('x-ms-cosmos-is-query-plan-request')) {
        return respond(request, { status: 200, headers: {}, text: LOCAL_QUERY_PLAN }, null);
      }
      const wire = {
        method: request.method,
        host: new URL(request.url).host,
        path: pathOf(request.url),
        headers: request.headers.toJSON(),
        body: bodyOf(request),
        signal: request.abortSignal as AbortSignal | undefined,
      };
      const reply = await sendMetered(list, wire, scopes.getStore());
      return respond(request, reply, reply.retryAfterMs);
    },
  };
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
