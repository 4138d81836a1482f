import { createServer } from 'node:net';
import { isErrno } from './processes.ts';

/** A port that nothing on this machine listens on at this moment. */
export function findFreePort(host = '127.0.0.1'): Promise<number> {
  return listenOnce(0, host);
}

/** False when somebody listens on the port; other faults (a port below 1024 without the right) are thrown. */
export async function isPortFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  try {
    await listenOnce(port, host);
    return true;
  } catch (error) {
    if (isErrno(error, 'EADDRINUSE')) return false;
    throw error;
  }
}

function listenOnce(port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ port, host, exclusive: true }, () => {
      const address = server.address();
      const bound = typeof address === 'object' && address !== null ? address.port : port;
      server.close(() => resolve(bound));
    });
  });
}
