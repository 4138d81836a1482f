import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that the system gives to clients: one of those may hold a fixed port just when a server wants it. */
const LOWEST = 20_000;
const HIGHEST = 30_000;

/** A port on which nothing listens now. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST));
    const server = createServer();
    try {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
      server.close();
      await once(server, 'close');
      return port;
    } catch {
      // Taken by something else: the next one.
    }
  }
}
