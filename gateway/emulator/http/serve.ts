import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Endpoint } from '#gateway/emulator/endpoint.ts';
import { CosmosError } from '#gateway/emulator/errors.ts';
import { replyToError, writeReply } from './cosmos-reply.ts';
import { splitTarget } from './cosmos-request.ts';
import { route } from './route.ts';

/** Above every limit of the service, so that its own refusals, which say more, come first. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** Longer than any client keeps an idle connection, so that the client is always the one to close it. */
const KEEP_ALIVE_MS = 120_000;

/** The HTTP server of an endpoint. `onUnexpected` hears of faults that are the endpoint's own. */
export function createEndpointServer(endpoint: Endpoint, onUnexpected: (error: unknown) => void): Server {
  const server = createServer({ keepAlive: true, noDelay: true, maxHeaderSize: 64 * 1024 }, (incoming, response) => {
    void answer(endpoint, incoming, response).catch((error: unknown) => {
      const clientLeft = !incoming.complete || response.destroyed;
      if (clientLeft || response.writableEnded) return;
      if (!(error instanceof CosmosError)) onUnexpected(error);
      writeReply(response, replyToError(error));
    });
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  return server;
}

async function answer(endpoint: Endpoint, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const method = incoming.method ?? 'GET';
  const body = await readBody(incoming);
  const segments = splitTarget(incoming.url ?? '/');
  if (method === 'GET' && segments.join('/') === '_habitat/health') return writeHealth(response);
  const reply = await route(endpoint, { method, segments, headers: incoming.headers, body });
  writeReply(response, reply);
}

async function readBody(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= MAX_BODY_BYTES) chunks.push(chunk);
  }
  // Read to its end before it is refused: a reply to a half-sent body reaches many clients as a reset.
  if (size > MAX_BODY_BYTES) throw new CosmosError(413, 'Request size is too large.');
  return Buffer.concat(chunks, size);
}

function writeHealth(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end('{"ok":true}');
}
