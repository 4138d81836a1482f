import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerAdmin } from './answer-admin.ts';
import { ControlRefused } from './control-refused.ts';
import type { Controls } from './controls.ts';
import { createGuard } from './guard.ts';

export interface AdminOptions {
  readonly controls: Controls;
  readonly token: string;
  readonly host: string;
  readonly port: number;
  readonly onUnexpected: (error: unknown) => void;
}

export interface AdminServer {
  readonly url: string;
  close(): Promise<void>;
}

const MAX_BODY_BYTES = 64 * 1024;

/** The admin API of `gateway/contract/local-cosmos.ts` on a port of its own. */
export async function serveAdmin({ controls, token, host, port, onUnexpected }: AdminOptions): Promise<AdminServer> {
  const guard = createGuard(token, host);
  const server = createServer((incoming, response) => {
    answer(incoming)
      .catch((error: unknown) => {
        if (error instanceof ControlRefused) return { status: error.status, body: { message: error.message } };
        onUnexpected(error);
        return { status: 500, body: { message: 'The endpoint failed on this request.' } };
      })
      .then(({ status, body }) => write(response, status, body));
  });

  async function answer(incoming: IncomingMessage): Promise<{ status: number; body?: unknown }> {
    guard(incoming);
    const body = await readBody(incoming);
    return answerAdmin(controls, { method: incoming.method ?? 'GET', target: incoming.url ?? '/', body });
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const reason = cause.code === 'EADDRINUSE' ? 'is taken' : `cannot be used: ${cause.message}`;
      reject(new Error(`The admin port ${port} ${reason}.`, { cause }));
    });
    server.listen(port, host, resolve);
  });
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    async close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= MAX_BODY_BYTES) chunks.push(chunk);
  }
  if (size > MAX_BODY_BYTES) throw new ControlRefused(400, 'The body is larger than 64 KB.');
  return Buffer.concat(chunks).toString('utf8');
}

function write(response: ServerResponse, status: number, body: unknown): void {
  if (body === undefined) {
    response.writeHead(status).end();
    return;
  }
  const text = JSON.stringify(body);
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
  response.writeHead(status, { ...headers, 'cache-control': 'no-store' }).end(text);
}
