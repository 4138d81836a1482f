import { type AddressInfo, createServer } from 'node:net';

/**
 * The port for all workers: the wanted one when nobody has it, a free one for 0. Workers listen with `reusePort`, with
 * which a taken port would be shared in silence, so it is tried without first. Throws one sentence when it is taken.
 */
export function claimPort(host: string, wanted: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      const taken = `GATEWAY_PORT: port ${wanted} is taken; set GATEWAY_PORT to another one, or to 0 for a free one.`;
      const other = `GATEWAY_HOST: cannot listen on ${host}:${wanted} (${error.code}).`;
      reject(new Error(error.code === 'EADDRINUSE' ? taken : other));
    });
    server.listen({ host, port: wanted }, () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
