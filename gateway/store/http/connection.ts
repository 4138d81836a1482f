import { type buildConnector, Client } from 'undici';

/** One connection of the list. undici's client would dial again after a loss; the list never lets it: lost is gone. */
export interface Connection {
  readonly client: Client;
  /** Numbered in the order in which they were made. */
  readonly name: number;
  /** It is not reused from then on. */
  readonly retireAtMs: number;
  /** Whether its socket was up at some time. */
  readonly isUp: boolean;
  /** Whether its socket is closed. */
  readonly isGone: boolean;
}

export interface ConnectionEvents {
  readonly onUp: (connection: Connection) => void;
  readonly onGone: (connection: Connection) => void;
}

export interface ConnectionOptions {
  readonly origin: string;
  readonly name: number;
  readonly retireAtMs: number;
  /** One for all connections of a list, so that they resume each other's TLS sessions. */
  readonly connect: buildConnector.connector;
}

/** Cosmos answers with at most 4 MB; what is longer comes from something else. */
const MOST_REPLY_BYTES = 8 * 2 ** 20;

/** Opens no socket before its first request. */
export function createConnection(options: ConnectionOptions, events: ConnectionEvents): Connection {
  const { origin, name, retireAtMs, connect } = options;
  const client = new Client(origin, {
    pipelining: 1,
    allowH2: false,
    connect,
    // Below the idle limits of Cosmos and of every load balancer on the way; a server's own hint may only lower it.
    keepAliveTimeout: 50_000,
    keepAliveMaxTimeout: 50_000,
    keepAliveTimeoutThreshold: 2_000,
    // The deadline of a request is its abort signal; these only bound what has none.
    headersTimeout: 65_000,
    bodyTimeout: 65_000,
    maxResponseSize: MOST_REPLY_BYTES,
  });
  const connection = { client, name, retireAtMs, isUp: false, isGone: false };
  client.on('connect', () => {
    connection.isUp = true;
    events.onUp(connection);
  });
  client.on('disconnect', () => {
    connection.isGone = true;
    events.onGone(connection);
  });
  return connection;
}
