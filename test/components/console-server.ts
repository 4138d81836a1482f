import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { vi } from 'vitest';

interface ConsoleServer {
  readonly close: () => Promise<void>;
}

/** A real HTTP server in the console's place. Paths that the page fetches are led to it, since Node has no origin. */
export async function startConsoleServer(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<ConsoleServer> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const real = globalThis.fetch;
  vi.stubGlobal('fetch', (path: string, init?: RequestInit) => real(new URL(path, origin), init));
  return {
    close: async () => {
      vi.unstubAllGlobals();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
