import { once } from 'node:events';
import { Agent, createServer, request as forwardRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Seen {
  readonly method: string;
  readonly path: string;
  /** A batch that writes. */
  readonly isBatch: boolean;
  /** A batch of one read. */
  readonly isReadBatch: boolean;
  readonly isQuery: boolean;
  /** Partition key value; null for what concerns no single partition. */
  readonly partition: string | null;
  readonly headers: IncomingMessage['headers'];
}

/** What happens to one request on its way. */
export type Fate =
  | { readonly kind: 'pass' }
  /** Forwarded once `until` resolves, then answered as usual. */
  | { readonly kind: 'hold'; readonly until: Promise<void> }
  /** Forwarded at once; `answered` is called when the answer is here, which goes on once `until` resolves. */
  | { readonly kind: 'hold reply'; readonly until: Promise<void>; readonly answered: () => void }
  /** The client's connection is reset and nothing is forwarded. */
  | { readonly kind: 'lose' }
  /** Forwarded and completed behind; `afterwards` runs; the client's connection is reset instead of answered. */
  | { readonly kind: 'commit then reset'; readonly afterwards?: () => Promise<void> }
  /** The client's connection is reset at once; the request arrives behind when `until` resolves. */
  | { readonly kind: 'deliver late'; readonly until: Promise<void>; readonly delivered: () => void }
  /** Nothing comes back, and nothing is forwarded. */
  | { readonly kind: 'hang' }
  /** Answered here. */
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly body?: string;
      readonly headers?: Record<string, string>;
    }
  /** Forwarded; the reply is replaced on its way back. */
  | { readonly kind: 'commit then answer'; readonly status: number; readonly body: string };

export interface FaultyProxy {
  readonly url: string;
  /** Decides each request from now on; all pass until set. */
  decide(fateOf: (seen: Seen) => Fate): void;
  close(): Promise<void>;
}

/**
 * An HTTP proxy on a free port of this machine that does to single requests what networks and services do. The account
 * document that passes names the proxy in place of what is behind it, so that a gateway stays with it.
 */
export async function startFaultyProxy(target: string): Promise<FaultyProxy> {
  const agent = new Agent({ keepAlive: true });
  let fateOf: (seen: Seen) => Fate = () => ({ kind: 'pass' });
  let url = '';
  const server = createServer((request, response) => {
    void serve(request, response).catch(() => request.socket.destroy());
  });

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat(await request.toArray());
    const fate = fateOf(seenOf(request, body));
    switch (fate.kind) {
      case 'hold':
      case 'hold reply':
      case 'pass': {
        if (fate.kind === 'hold') await fate.until;
        const reply = await forward(target, agent, { request, body });
        if (fate.kind === 'hold reply') {
          fate.answered();
          await fate.until;
        }
        if (request.url === '/') return answerAccount(reply, response);
        response.writeHead(reply.status, reply.headers).end(reply.body);
        return;
      }
      case 'lose':
        request.socket.destroy();
        return;
      case 'commit then reset':
        await forward(target, agent, { request, body });
        await fate.afterwards?.();
        request.socket.destroy();
        return;
      case 'deliver late':
        request.socket.destroy();
        await fate.until;
        await forward(target, agent, { request, body });
        fate.delivered();
        return;
      case 'hang':
        return;
      case 'answer':
        response.writeHead(fate.status, fate.headers).end(fate.body ?? '');
        return;
      case 'commit then answer':
        await forward(target, agent, { request, body });
        response.writeHead(fate.status).end(fate.body);
        return;
      default:
        fate satisfies never;
    }
  }

  function answerAccount(reply: Reply, response: ServerResponse): void {
    const document = reply.body.toString().replaceAll(new URL(target).origin, url);
    const length = String(Buffer.byteLength(document));
    response.writeHead(reply.status, { ...reply.headers, 'content-length': length }).end(document);
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    decide(next) {
      fateOf = next;
    },
    async close() {
      agent.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function seenOf(request: IncomingMessage, body: Buffer): Seen {
  const isBatch = request.headers['x-ms-cosmos-is-batch-request'] !== undefined;
  const isReadBatch = isBatch && /^\[\{"operationType":"Read"[^{}]*\}\]$/.test(body.toString());
  return {
    method: request.method ?? '',
    path: request.url ?? '',
    isBatch: isBatch && !isReadBatch,
    isReadBatch,
    isQuery: request.headers['x-ms-documentdb-isquery'] !== undefined,
    partition: partitionOf(request.headers['x-ms-documentdb-partitionkey']),
    headers: request.headers,
  };
}

function partitionOf(header: string | readonly string[] | undefined): string | null {
  const values: unknown = typeof header === 'string' ? JSON.parse(header) : null;
  return Array.isArray(values) && typeof values[0] === 'string' ? values[0] : null;
}

interface Reply {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

async function forward(
  target: string,
  agent: Agent,
  message: { readonly request: IncomingMessage; readonly body: Buffer },
): Promise<Reply> {
  const { request, body } = message;
  const { method, headers, url = '/' } = request;
  const behind = forwardRequest(new URL(url, target), { agent, headers, ...(method === undefined ? {} : { method }) });
  behind.end(body);
  const [response] = (await once(behind, 'response')) as [IncomingMessage];
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    body: Buffer.concat(await response.toArray()),
  };
}
