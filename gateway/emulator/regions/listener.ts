import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** A port of this machine that can refuse connections for a while, as a region does that is away. */
export interface Listener {
  /** Resolves to the port; rejects with one sentence. */
  open(): Promise<number>;
  /** Refusing begins before this returns. To listen again, on the same port, takes a moment. */
  setRefusing(refusing: boolean): void;
  /** Resolves when it listens again; rejects when it cannot. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

export interface ListenerOptions {
  readonly handle: RequestListener;
  readonly host: string;
  readonly port: number;
}

/** Longer than any client keeps an idle connection, so that the client is always the one to close it. */
const KEEP_ALIVE_MS = 120_000;
const REOPEN_ATTEMPTS = 100;
const REOPEN_EVERY_MS = 50;

export function createListener({ handle, host, port: wantedPort }: ListenerOptions): Listener {
  const sockets = new Set<Socket>();
  let port = wantedPort;
  let server: Server | undefined;
  let refusing = false;
  let changing: Promise<void> = Promise.resolve();

  /** A server of its own for each time it listens: one that was closed keeps traces of that. */
  async function listen(): Promise<void> {
    const next = newServer(handle, sockets);
    port = await listenOn(next, port, host);
    server = next;
  }

  function refuse(): void {
    const closing = server;
    server = undefined;
    // Before the server ends its idle connections in an orderly way.
    for (const socket of sockets) socket.resetAndDestroy();
    closing?.close();
  }

  /** While it refused, the port was anyone's. */
  async function listenAgain(): Promise<void> {
    for (let attempt = 1; server === undefined && !refusing; attempt += 1) {
      try {
        await listen();
      } catch (error) {
        if (attempt === REOPEN_ATTEMPTS) throw error;
        await pause(REOPEN_EVERY_MS);
      }
    }
    if (refusing) refuse();
  }

  return {
    async open() {
      await listen();
      return port;
    },
    setRefusing(value) {
      if (refusing === value) return;
      refusing = value;
      if (refusing) return refuse();
      changing = changing.catch(() => {}).then(listenAgain);
      // Told by settled(), to whoever asks.
      changing.catch(() => {});
    },
    settled: () => changing,
    async close() {
      refusing = true;
      await changing.catch(() => {});
      const closing = server;
      server = undefined;
      if (closing !== undefined) await closeServer(closing);
    },
  };
}

function newServer(handle: RequestListener, sockets: Set<Socket>): Server {
  const server = createServer({ keepAlive: true, noDelay: true, maxHeaderSize: 64 * 1024 }, handle);
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return server;
}

function listenOn(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const taken = cause.code === 'EADDRINUSE';
      reject(new Error(taken ? `Port ${port} is taken.` : `Port ${port} cannot be used: ${cause.message}.`, { cause }));
    });
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

/** Idle connections end at once, busy ones after their reply, and after five seconds whatever is left. */
function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    // A connection that turns idle after close() would otherwise live on until its keep-alive ends.
    const sweeping = setInterval(() => server.closeIdleConnections(), 20);
    const giveUp = setTimeout(() => server.closeAllConnections(), 5_000);
    server.close(() => {
      clearInterval(sweeping);
      clearTimeout(giveUp);
      resolve();
    });
    server.closeIdleConnections();
  });
}
