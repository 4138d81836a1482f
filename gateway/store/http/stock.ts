import { buildConnector } from 'undici';
import { type Connection, createConnection } from './connection.ts';

export interface StockSettings {
  readonly origin: string;
  readonly now: () => number;
  readonly random: () => number;
  readonly maxConnections: number;
  readonly maxDialling: number;
  readonly maxAgeMs: number;
  readonly connectTimeoutMs: number;
}

/** The connections of a list: made, judged, closed, and counted. */
export interface Stock {
  /** Longest idle first. */
  readonly idle: Connection[];
  /** The longest idle one that is still good, or a new one; null when there is no room for it. */
  tryTake(): Connection | null;
  /** A new one, whether there is room or not. */
  make(): Connection;
  isUsable(connection: Connection): boolean;
  isFull(): boolean;
  hasRoom(): boolean;
  /** A connection in use came back, with its socket up or never. */
  noteReturn(connection: Connection): void;
  discard(connection: Connection): void;
  /** Connections in use, idle, and being opened. */
  size(): number;
  /** Sockets that ever came up. */
  opened(): number;
}

/** `onRoom` is called when a dial has ended, so that another may begin. */
export function createStock(settings: StockSettings, onRoom: () => void): Stock {
  const { origin, now, random, maxAgeMs, maxConnections, maxDialling } = settings;
  const connect = buildConnector({ allowH2: false, timeout: settings.connectTimeoutMs, keepAlive: true });
  const all = new Set<Connection>();
  const idle: Connection[] = [];
  const dialling = new Set<Connection>();
  let made = 0;
  let opened = 0;

  function discard(connection: Connection): void {
    all.delete(connection);
    dialling.delete(connection);
    // The promise only tells that the socket is gone.
    connection.client.destroy().catch(() => undefined);
  }

  const events = {
    onUp(connection: Connection): void {
      opened += 1;
      dialling.delete(connection);
      onRoom();
    },
    onGone(connection: Connection): void {
      const at = idle.indexOf(connection);
      if (at === -1) return;
      idle.splice(at, 1);
      discard(connection);
    },
  };

  function make(): Connection {
    made += 1;
    const retireAtMs = maxAgeMs === 0 ? Infinity : now() + maxAgeMs * (1 - random() * 0.2);
    const connection = createConnection({ origin, name: made, retireAtMs, connect }, events);
    all.add(connection);
    dialling.add(connection);
    return connection;
  }

  const isUsable = (connection: Connection) =>
    connection.retireAtMs > now() && !connection.isGone && !connection.client.destroyed;
  const isFull = () => all.size >= maxConnections;
  const hasRoom = () => !isFull() && dialling.size < maxDialling;

  function tryTake(): Connection | null {
    for (let connection = idle.shift(); connection !== undefined; connection = idle.shift()) {
      if (isUsable(connection)) return connection;
      discard(connection);
    }
    return hasRoom() ? make() : null;
  }

  const noteReturn = (connection: Connection) => void dialling.delete(connection);
  const counts = { size: () => all.size, opened: () => opened };
  return { idle, tryTake, make, isUsable, isFull, hasRoom, noteReturn, discard, ...counts };
}
