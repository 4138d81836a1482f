import { createServer, type IncomingMessage, type Server, type ServerOptions, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Incoming } from '#gateway/pipeline/request.ts';
import type { WriteReply } from '#gateway/pipeline/run.ts';
import type { Clock } from '#gateway/pipeline/trace.ts';
import type { Sessions } from '#gateway/sealed/session.ts';
import { createDescription } from './description.ts';
import { readRequest } from './read-request.ts';
import { MAX_HEAD_BYTES, refuseUnread } from './refuse-unread.ts';
import { createRequestIds } from './request-id.ts';
import { writeReply } from './write-reply.ts';

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  /** Several workers listen on one port; the kernel spreads connections over them. */
  readonly reusePort: boolean;
  readonly clock: Clock;
  readonly sessions: Sessions;
  readonly consoleUrl: string;
  run(incoming: Incoming, write: WriteReply): Promise<void>;
  /** Answers paths outside `/v1`; false when it is none of its own. */
  health(path: string, response: ServerResponse): boolean;
}

export interface Listener {
  readonly port: number;
  /** Stops accepting, lets running requests end, closes idle connections. */
  drain(): Promise<void>;
}

/** Longest wait for running requests when draining. */
const DRAIN_MS = 10_000;
const CLOSE_IDLE_EVERY_MS = 50;
/** A longer body that nobody read is taken in after its reply for this long at most. */
const MAX_UNREAD_BODY = 8_000_000;
const LINGER_MS = 5_000;
/** Of one worker; one beyond is closed at once. */
const MAX_CONNECTIONS = 8_192;
const LIMITS: ServerOptions = {
  // Longer than what clients and proxies keep idle connections for, so that the peer closes first.
  keepAliveTimeout: 75_000,
  // A head that trickles in, or never comes, holds its connection for this and one look: at most 10 s together.
  headersTimeout: 8_000,
  connectionsCheckingInterval: 2_000,
  // A whole request, body included: twice the longest deadline.
  requestTimeout: 60_000,
  maxHeaderSize: MAX_HEAD_BYTES,
};

/** Serves the API over HTTP/1.1. */
export async function listen(options: ListenOptions): Promise<Listener> {
  const nextId = createRequestIds(() => options.clock.nowMs());
  const arrivals = createArrivals(options.clock);
  const describe = createDescription();
  const server = createServer(LIMITS, (message, response) =>
    serve({ message, response }, { options, describe, arrivedUs: arrivals(), requestId: nextId(), nextId }),
  );
  server.maxConnections = MAX_CONNECTIONS;
  refuseUnread(server, { nextId, consoleUrl: options.consoleUrl });
  await bind(server, options);
  const { port } = server.address() as AddressInfo;
  return { port, drain: () => drain(server) };
}

interface Exchange {
  readonly message: IncomingMessage;
  readonly response: ServerResponse;
}

interface ServeContext {
  readonly options: ListenOptions;
  /** Answers the description of the API; false when another thing is asked. */
  describe(message: IncomingMessage, response: ServerResponse): boolean;
  readonly arrivedUs: number;
  readonly requestId: string;
  readonly nextId: () => string;
}

function serve({ message, response }: Exchange, context: ServeContext): void {
  const { options, arrivedUs, requestId, nextId } = context;
  const path = message.url ?? '/';
  const isRead = message.method === 'GET' || message.method === 'HEAD';
  if (isRead && !path.startsWith('/v1/') && options.health(path, response)) return;
  if (context.describe(message, response)) return;
  const { sessions, consoleUrl, clock } = options;
  const clocks = { nowMs: () => clock.nowMs(), nowUs: () => clock.nowUs() };
  const incoming = readRequest(message, { sessions, requestId, arrivedUs, nextId, consoleUrl, ...clocks });
  if ((incoming.body.announcedBytes ?? 0) > MAX_UNREAD_BODY) response.once('finish', () => linger(message));
  void options.run(incoming, (outcome, trace) => writeReply(response, { outcome, trace }, { consoleUrl, sessions }));
}

/**
 * Node drops what is left of a body once its reply is out. Closing on it at once would take the reply from a caller that
 * reads only after it has sent all; not closing at all would let one send for as long as a request may take.
 */
function linger(message: IncomingMessage): void {
  const cutOff = () => {
    if (!message.complete) message.socket.destroy();
  };
  setTimeout(cutOff, LINGER_MS).unref();
}

/**
 * When a request's first byte was there. The parser tells only when the head is complete; requests that were read in one
 * turn of the event loop were there when its first one was, so the later ones' wait counts as theirs.
 */
function createArrivals(clock: Clock): () => number {
  let turnUs: number | null = null;
  return () => {
    if (turnUs === null) {
      turnUs = clock.nowUs();
      setImmediate(() => {
        turnUs = null;
      });
    }
    return turnUs;
  };
}

function bind(server: Server, { host, port, reusePort }: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, reusePort, backlog: 1_024 }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** A connection is closed once it is idle; what still runs after a while is cut off. */
function drain(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const closing = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_EVERY_MS);
    const giveUp = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
    server.close(() => {
      clearInterval(closing);
      clearTimeout(giveUp);
      resolve();
    });
    server.closeIdleConnections();
  });
}
