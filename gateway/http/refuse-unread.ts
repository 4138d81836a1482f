import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { ERRORS } from '#gateway/contract/errors.ts';
import { type Denial, deny } from '#gateway/pipeline/denial.ts';
import { errorBodyOf } from './error-body.ts';

/** Longest head of a request, bytes. */
export const MAX_HEAD_BYTES = 16_384;

const LINGER_MS = 1_000;

const REASONS = { 400: 'Bad Request', 413: 'Content Too Large', 504: 'Gateway Timeout' } as const;

/** What is under way on a connection. */
interface Connection {
  open: number;
  last: IncomingMessage | null;
  hasFailed: boolean;
}

interface Unread {
  readonly nextId: () => string;
  readonly consoleUrl: string;
}

/**
 * Refuses what cannot be read as a request of HTTP/1.1, or does not come in time, in the form of every refusal, and closes the
 * connection: whatever follows on it has no meaning. Requests before it on the connection are answered first, and one whose body
 * breaks off gets its own reply alone.
 */
export function refuseUnread(server: Server, unread: Unread): void {
  const connections = new WeakMap<Duplex, Connection>();
  const connectionOf = (socket: Duplex): Connection => {
    const known = connections.get(socket);
    if (known !== undefined) return known;
    const connection: Connection = { open: 0, last: null, hasFailed: false };
    connections.set(socket, connection);
    return connection;
  };
  server.on('request', (message: IncomingMessage, response: ServerResponse) => {
    const { socket } = message;
    const connection = connectionOf(socket);
    connection.last = message;
    connection.open += 1;
    response.once('close', () => {
      connection.open -= 1;
      if (connection.open === 0 && connection.hasFailed) socket.end();
    });
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy();
    const connection = connectionOf(socket);
    if (connection.hasFailed) return;
    connection.hasFailed = true;
    if (connection.open > 0) return void socket.pause();
    if (connection.last?.complete === false) return void socket.destroy();
    socket.end(textOf(denialOf(error.code), unread));
    // What is still on its way is let in and dropped for a moment: closing on it would take the reply from the caller.
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  });
}

function denialOf(code: string | undefined): Denial {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return deny('request_too_large', `The head of a request has at most ${MAX_HEAD_BYTES} bytes.`);
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return deny('deadline_exceeded', 'The request did not come in time; nothing was written.');
    default:
      return deny('malformed_request', 'This is no request of HTTP/1.1 that can be read.');
  }
}

function textOf(denial: Denial, { nextId, consoleUrl }: Unread): string {
  const requestId = nextId();
  const body = JSON.stringify(errorBodyOf(denial, requestId, consoleUrl));
  const { status } = ERRORS[denial.code];
  const head = [
    `HTTP/1.1 ${status} ${REASONS[status as keyof typeof REASONS] ?? ''}`,
    `Habitat-Request-Id: ${requestId}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    'Connection: close',
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}
