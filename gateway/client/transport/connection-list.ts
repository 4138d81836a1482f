import { buildConnector } from 'undici';
import { type Connection, createConnection } from './connection.ts';
import type { Stop } from './stop.ts';

/** What TLS to a gateway may need; the meaning is that of `node:tls`. */
export interface TlsOptions {
  /** PEM */
  readonly ca?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  readonly servername?: string | undefined;
}

export interface ConnectionListOptions {
  readonly origin: string;
  readonly tls: TlsOptions | undefined;
  readonly now: () => number;
  /** 0 ≤ value < 1. */
  readonly random: () => number;
  /** Most connections at once; further calls wait in order. */
  readonly maxConnections: number;
  /** A connection older than this, less up to a fifth, is closed instead of reused. */
  readonly maxAgeMs: number;
  readonly connectTimeoutMs: number;
}

/** The connections to one endpoint, reused first in, first out. */
export interface ConnectionList {
  /** The connection that has been idle longest, a new one, or the next that comes back; null when the call has to end. */
  take(stop: Stop): Promise<Connection | null>;
  /** One that is not sound is closed. */
  giveBack(connection: Connection, isSound: boolean): void;
  /** Connections in use and idle. */
  size(): number;
  close(): Promise<void>;
}

type Waiter = (connection: Connection | null) => void;

/**
 * Connections in the order A B C A B C: shift the longest idle, push on return. Node's agent is last in, first
 * out unless told, which keeps load on the workers that it met first; undici's Pool prefers the connections it made first.
 */
export function createConnectionList(options: ConnectionListOptions): ConnectionList {
  const { now, random, origin, maxAgeMs, maxConnections, connectTimeoutMs, tls } = options;
  const connect = buildConnector({ ...tlsOf(tls), allowH2: false, timeout: connectTimeoutMs, keepAlive: true });
  const idle: Connection[] = [];
  const waiters: Waiter[] = [];
  const all = new Set<Connection>();
  let made = 0;
  let isClosed = false;

  function discard(connection: Connection): void {
    if (all.delete(connection)) destroy(connection);
  }

  function onGone(connection: Connection): void {
    const at = idle.indexOf(connection);
    if (at === -1) return;
    idle.splice(at, 1);
    discard(connection);
  }

  const isUsable = (connection: Connection) =>
    connection.retireAtMs > now() && !connection.isGone && !connection.client.destroyed;

  function make(): Connection {
    made += 1;
    const retireAtMs = now() + maxAgeMs * (1 - random() * 0.2);
    const connection = createConnection({ origin, name: made, retireAtMs, connect }, onGone);
    all.add(connection);
    return connection;
  }

  function tryTake(): Connection | null {
    for (let connection = idle.shift(); connection !== undefined; connection = idle.shift()) {
      if (isUsable(connection)) return connection;
      discard(connection);
    }
    return all.size < maxConnections ? make() : null;
  }

  return {
    async take(stop) {
      if (stop.reason !== null || isClosed) return null;
      return tryTake() ?? (await wait(waiters, stop));
    },
    giveBack(connection, isSound) {
      const isReusable = isSound && !isClosed && isUsable(connection);
      if (!isReusable) discard(connection);
      const waiter = waiters.shift();
      if (waiter !== undefined) waiter(isReusable ? connection : make());
      else if (isReusable) idle.push(connection);
    },
    size: () => all.size,
    async close() {
      isClosed = true;
      for (const waiter of waiters.splice(0)) waiter(null);
      await Promise.all(idle.splice(0).map((connection) => connection.client.close().catch(() => undefined)));
    },
  };
}

function destroy({ client }: Connection): void {
  // The promise only tells that the socket is gone.
  client.destroy().catch(() => undefined);
}

function wait(waiters: Waiter[], stop: Stop): Promise<Connection | null> {
  return new Promise((resolve) => {
    const waiter: Waiter = (connection) => {
      takeBack();
      resolve(connection);
    };
    waiters.push(waiter);
    const takeBack = stop.onStop(() => {
      waiters.splice(waiters.indexOf(waiter), 1);
      resolve(null);
    });
  });
}

function tlsOf(tls: TlsOptions | undefined): object {
  return Object.fromEntries(Object.entries(tls ?? {}).filter(([, value]) => value !== undefined));
}
