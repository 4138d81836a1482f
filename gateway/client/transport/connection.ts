import { type buildConnector, Client } from 'undici';

/** One connection. undici's client would dial again after a loss; the list never lets it: lost is gone. */
export interface Connection {
  readonly client: Client;
  /** Numbered in the order in which they were made. */
  readonly name: number;
  /** It is not reused from then on. */
  readonly retireAtMs: number;
  readonly isGone: boolean;
}

export interface ConnectionOptions {
  readonly origin: string;
  readonly name: number;
  readonly retireAtMs: number;
  /** One for all connections of an endpoint, so that they resume each other's TLS sessions. */
  readonly connect: buildConnector.connector;
}

/** A batch answers with 16 MB of content, which JSON and base64 make longer; what is longer still comes from something else. */
const MOST_REPLY_BYTES = 128 * 2 ** 20;
/** Below the gateway's 75 s and below the idle limits of usual load balancers; a server's own hint may only lower it. */
const KEEP_ALIVE_MS = 50_000;

/** Opens no socket before its first request. */
export function createConnection(options: ConnectionOptions, onGone: (connection: Connection) => void): Connection {
  const { origin, name, retireAtMs, connect } = options;
  const client = new Client(origin, {
    pipelining: 1,
    allowH2: false,
    connect,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    keepAliveTimeoutThreshold: 2_000,
    // The deadline of a call bounds what it waits for.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxResponseSize: MOST_REPLY_BYTES,
  });
  const connection = { client, name, retireAtMs, isGone: false };
  client.on('disconnect', () => {
    connection.isGone = true;
    onGone(connection);
  });
  return connection;
}
