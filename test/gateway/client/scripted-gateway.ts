import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** What stands where a gateway should, and does as the test says. */
export interface Scripted {
  readonly url: string;
  readonly port: number;
  /** Every request but the probes of readiness, in order. */
  readonly seen: {
    readonly method: string;
    readonly path: string;
    readonly headers: IncomingMessage['headers'];
    readonly body: string;
    readonly socket: Socket;
  }[];
  close(): Promise<void>;
}

export type Script = (
  request: IncomingMessage & { readonly body: string },
  response: ServerResponse,
) => void | Promise<void>;

export async function scripted(script: Script, port = 0): Promise<Scripted> {
  const seen: Scripted['seen'] = [];
  const server = createServer(async (request, response) => {
    if (request.url === '/readyz') return void response.end('{}');
    const body = Buffer.concat(await request.toArray()).toString();
    const { method = '', url = '', headers, socket } = request;
    seen.push({ method, path: url, headers, body, socket });
    await script(Object.assign(request, { body }), response);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const at = (server.address() as AddressInfo).port;
  const close = async () => {
    if (!server.listening) return;
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  onTestFinished(close);
  return { url: `http://127.0.0.1:${at}`, port: at, seen, close };
}

const OURS = {
  'habitat-request-id': '01J0000000000000000000TEST',
  'habitat-ru': '1',
  'content-type': 'application/json',
};

export function answer(response: ServerResponse, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(200, { ...OURS, ...headers }).end(JSON.stringify(body));
}

export function refuse(response: ServerResponse, status: number, error: Record<string, unknown>): void {
  const requestId = OURS['habitat-request-id'];
  const body = { error: { message: 'As the test says.', requestId, retryable: true, help: '', ...error } };
  response.writeHead(status, OURS).end(JSON.stringify(body));
}
