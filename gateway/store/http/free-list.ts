import { Client } from 'undici';
import { createTurns } from './turns.ts';

export interface FreeListOptions {
  readonly origin: string;
  /** Most connections open at once; further requests wait in order. */
  readonly maxConnections: number;
  /** A connection older than this (less up to 20 % jitter) is closed instead of reused. */
  readonly maxAgeMs: number;
  /** Connections kept when trimming after a burst. */
  readonly baseConnections: number;
  /** How often the list is trimmed to its base or the peak of use since the last time, whichever is more. */
  readonly trimEveryMs: number;
  readonly connectTimeoutMs: number;
  readonly now: () => number;
  /** 0 ≤ value < 1. */
  readonly random: () => number;
}

/** One connection on loan. */
export interface Loan {
  readonly client: Client;
  readonly name: number;
  readonly retireAtMs: number;
}

export interface FreeList {
  /** As `take`, without waiting: null at the cap. */
  tryTake(): Loan | null;
  /** The connection that has been idle longest, a new one, or, at the cap, the next that comes back. */
  take(signal: AbortSignal | undefined): Promise<Loan>;
  /** Returns a loan to the end of the list; one that broke is closed. */
  giveBack(loan: Loan, isSound: boolean): void;
  stats(): { readonly open: number; readonly idle: number; readonly waiting: number };
  close(): Promise<void>;
}

/**
 * Connections in the order A B C A B C: shift the longest idle, push on return. Neither Node's agent (last in, first
 * out) nor undici's Pool (first free in order of creation) spreads load over a store's front ends.
 */
export function createFreeList(options: FreeListOptions): FreeList {
  const connections = createConnections(options);
  const { idle, connect, discard, isUsable } = connections;
  const turns = createTurns<Loan>();
  let isClosed = false;

  function tryTake(): Loan | null {
    const loan = connections.next();
    connections.notePeak();
    return loan;
  }

  const trimming = setInterval(connections.trim, options.trimEveryMs).unref();

  return {
    tryTake,
    take(signal) {
      if (isClosed) return Promise.reject(new Error(CLOSED));
      const loan = tryTake();
      return loan === null ? turns.wait(signal) : Promise.resolve(loan);
    },
    giveBack(loan, isSound) {
      const isReusable = isSound && !isClosed && isUsable(loan);
      if (!isReusable) discard(loan);
      const isTaken = !isClosed && turns.serve(() => (isReusable ? loan : connect()));
      if (!isTaken && isReusable) idle.push(loan);
    },
    stats: () => ({ open: connections.open(), idle: idle.length, waiting: turns.waiting() }),
    async close() {
      isClosed = true;
      clearInterval(trimming);
      turns.close(new Error(CLOSED));
      for (const loan of idle.splice(0)) discard(loan);
    },
  };
}

const CLOSED = 'The store is closed.';

/** The connections themselves: made, judged, closed, and counted. */
function createConnections(options: FreeListOptions) {
  const { now, random, maxAgeMs } = options;
  const idle: Loan[] = [];
  let open = 0;
  let made = 0;
  let peakInUse = 0;

  function connect(): Loan {
    open += 1;
    made += 1;
    return { client: newClient(options), name: made, retireAtMs: now() + maxAgeMs * (1 - random() * 0.2) };
  }

  function discard(loan: Loan): void {
    open -= 1;
    // Nothing is in flight on it; the promise only tells that the socket is gone.
    loan.client.destroy().catch(() => undefined);
  }

  const isUsable = (loan: Loan) => loan.retireAtMs > now() && !loan.client.destroyed;

  function next(): Loan | null {
    for (let loan = idle.shift(); loan !== undefined; loan = idle.shift()) {
      if (isUsable(loan)) return loan;
      discard(loan);
    }
    return open < options.maxConnections ? connect() : null;
  }

  function trim(): void {
    const keep = Math.max(options.baseConnections, peakInUse);
    while (open > keep) {
      const loan = idle.shift();
      if (loan === undefined) break;
      discard(loan);
    }
    peakInUse = open - idle.length;
  }

  function notePeak(): void {
    peakInUse = Math.max(peakInUse, open - idle.length);
  }

  return { idle, connect, discard, isUsable, next, trim, notePeak, open: () => open };
}

function newClient(options: FreeListOptions): Client {
  return new Client(options.origin, {
    pipelining: 1,
    allowH2: false,
    // Below the idle limits of Cosmos and of every load balancer on the way; a server's own hint lowers it further.
    keepAliveTimeout: 50_000,
    keepAliveTimeoutThreshold: 2_000,
    // The deadline of a request is its abort signal; these only bound what has none.
    headersTimeout: 65_000,
    bodyTimeout: 65_000,
    connect: { timeout: options.connectTimeoutMs, keepAlive: true },
  });
}

/** Throws unless the list hands out three connections in the order A B C A B C. Opens no socket. */
export function assertFifo(list: FreeList): void {
  const loans = [0, 1, 2].flatMap(() => list.tryTake() ?? []);
  for (const loan of loans) list.giveBack(loan, true);
  const order: number[] = [];
  for (let turn = 0; turn < 2 * loans.length; turn += 1) {
    const loan = list.tryTake();
    if (loan === null) continue;
    order.push(loan.name);
    list.giveBack(loan, true);
  }
  const names = loans.map((loan) => loan.name);
  if (order.join() !== [...names, ...names].join()) {
    throw new Error(`Connections are reused in the order ${order.join(' ')} instead of first in, first out.`);
  }
}
