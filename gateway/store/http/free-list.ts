import type { Connection } from './connection.ts';
import { createStock } from './stock.ts';
import { startTrim } from './trim.ts';
import { createTurns } from './turns.ts';

export interface FreeListOptions {
  readonly origin: string;
  readonly now: () => number;
  /** 0 ≤ value < 1. */
  readonly random: () => number;
  /** Most connections open at once; further requests wait in order. */
  readonly maxConnections: number;
  /** Most connections being opened at once, so that a burst does not become a storm of handshakes. */
  readonly maxDialling?: number;
  /** A connection older than this (less up to 20 % jitter) is closed instead of reused; 0 for no limit. */
  readonly maxAgeMs?: number;
  /** Connections kept when nothing needs more. */
  readonly baseConnections?: number;
  /** The list shrinks to the most connections that were in use within this time. */
  readonly calmMs?: number;
  /** How often age and size are looked at. */
  readonly tickMs?: number;
  readonly connectTimeoutMs?: number;
}

const DEFAULTS = {
  maxDialling: 16,
  maxAgeMs: 10 * 60_000,
  baseConnections: 4,
  calmMs: 5_000,
  tickMs: 1_000,
  connectTimeoutMs: 2_000,
};

export interface FreeListStats {
  /** Connections in use, idle, and being opened. */
  readonly open: number;
  readonly idle: number;
  /** Requests that wait for one. */
  readonly waiting: number;
  /** Sockets that ever came up, and requests sent over all of them. */
  readonly opened: number;
  readonly requests: number;
}

export interface FreeList {
  /** As `take`, without waiting: null when there is no room. */
  tryTake(): Connection | null;
  /** The connection that has been idle longest, a new one, or, without room for it, the next that comes back. */
  take(signal: AbortSignal | undefined): Promise<Connection>;
  /** Returns a connection to the end of the list; one that broke is closed. */
  giveBack(connection: Connection, isSound: boolean): void;
  /** Whoever had it left, and only its late reply is awaited: it is closed when its room is needed. */
  noteAbandoned(connection: Connection): void;
  stats(): FreeListStats;
  close(): Promise<void>;
}

/**
 * Connections in the order A B C A B C: shift the longest idle, push on return. Neither Node's agent (last in, first
 * out) nor undici's Pool (first free in order of creation) spreads load over a store's front ends.
 */
export function createFreeList(options: FreeListOptions): FreeList {
  const settings = { ...DEFAULTS, ...options };
  const turns = createTurns<Connection>();
  const stock = createStock(settings, serveWaiting);
  const trim = startTrim(stock, settings);
  const abandoned = new Set<Connection>();
  let requests = 0;
  let isClosed = false;

  function serveWaiting(): void {
    while (turns.waiting() > 0 && stock.hasRoom()) turns.serve(stock.make);
    trim.notePeak();
  }

  function tryTake(): Connection | null {
    const connection = stock.tryTake();
    trim.notePeak();
    return connection;
  }

  /** Queues first: the connection that is given up may come back at once. */
  function wait(signal: AbortSignal | undefined): Promise<Connection> {
    const turn = turns.wait(signal);
    const [longest] = abandoned;
    if (longest !== undefined && stock.isFull()) {
      abandoned.delete(longest);
      longest.client.destroy().catch(() => undefined);
    }
    return turn;
  }

  return {
    tryTake,
    async take(signal) {
      if (isClosed) throw new Error(CLOSED);
      const connection = tryTake() ?? (await wait(signal));
      requests += 1;
      return connection;
    },
    giveBack(connection, isSound) {
      abandoned.delete(connection);
      stock.noteReturn(connection);
      const isReusable = isSound && !isClosed && stock.isUsable(connection);
      if (!isReusable) stock.discard(connection);
      else if (!turns.serve(() => connection)) stock.idle.push(connection);
      if (!isClosed) serveWaiting();
    },
    noteAbandoned: (connection) => void abandoned.add(connection),
    stats: () => ({
      ...{ open: stock.size(), idle: stock.idle.length, waiting: turns.waiting() },
      ...{ opened: stock.opened(), requests },
    }),
    async close() {
      isClosed = true;
      trim.stop();
      turns.close(new Error(CLOSED));
      for (const connection of [...stock.idle.splice(0), ...abandoned]) stock.discard(connection);
    },
  };
}

const CLOSED = 'The store is closed.';
