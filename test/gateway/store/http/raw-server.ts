import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** One request as its bytes came, up to the end of its body. */
export interface RawRequest {
  readonly head: string;
  readonly body: string;
  /** Number of the connection, from 1 in the order of acceptance. */
  readonly connection: number;
  readonly socket: Socket;
}

export interface RawServer {
  readonly origin: string;
  readonly requests: readonly RawRequest[];
  /** Connections that were ever accepted, and those open now. */
  accepted(): number;
  open(): number;
  close(): Promise<void>;
}

/** A TCP server that answers each request with the bytes that `answer` gives; null for none. Closed with the test. */
export async function startRawServer(
  answer: (request: RawRequest, index: number) => string | Buffer | null | Promise<string | Buffer | null>,
): Promise<RawServer> {
  const requests: RawRequest[] = [];
  const sockets = new Set<Socket>();
  let accepted = 0;
  const server = createServer((socket) => {
    accepted += 1;
    const connection = accepted;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
    let pending: Buffer = Buffer.alloc(0);
    socket.on('data', (chunk: Buffer) => {
      pending = Buffer.concat([pending, chunk]);
      for (let taken = takeRequest(pending); taken !== null; taken = takeRequest(pending)) {
        pending = taken.rest;
        const request = { head: taken.head, body: taken.body, connection, socket };
        const index = requests.push(request) - 1;
        void Promise.resolve(answer(request, index)).then((bytes) => {
          if (bytes !== null && socket.writable) socket.write(bytes);
        });
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = async () => {
    for (const socket of sockets) socket.destroy();
    if (!server.listening) return;
    server.close();
    await once(server, 'close');
  };
  onTestFinished(close);
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    requests,
    accepted: () => accepted,
    open: () => sockets.size,
    close,
  };
}

function takeRequest(bytes: Buffer): { readonly head: string; readonly body: string; readonly rest: Buffer } | null {
  const end = bytes.indexOf('\r\n\r\n');
  if (end === -1) return null;
  const head = bytes.subarray(0, end).toString('latin1');
  const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
  const from = end + 4;
  if (bytes.length < from + length) return null;
  return { head, body: bytes.subarray(from, from + length).toString(), rest: bytes.subarray(from + length) };
}

/** An HTTP/1.1 reply with a body and its length. */
export function replyOf(status: number, body: string, headers: Readonly<Record<string, string>> = {}): string {
  const all = { 'content-length': String(Buffer.byteLength(body)), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} Status\r\n${lines.join('')}\r\n${body}`;
}
