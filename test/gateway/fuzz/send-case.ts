import { connect, type Socket } from 'node:net';
import type { FuzzCase } from './fuzz-case.ts';
import { type RawReply, readReply } from './read-replies.ts';

/** Nothing takes longer than the deadline of a request and the look for what is late; a slow machine may take some times that. */
const BOUND_MS = 60_000;

export interface Sent {
  readonly replies: readonly RawReply[];
  /** Everything that came back. */
  readonly bytes: Buffer;
  /** What is wrong with how it ended; null when nothing is. */
  readonly problem: string | null;
}

/** A connection that whole requests share, one after another. */
export interface Line {
  send(one: FuzzCase): Promise<Sent>;
  close(): void;
}

export function openLine(port: number): Line {
  let socket: Socket | null = null;
  return {
    send: async (one) => {
      if (one.whole === null) return sendAlone(one, port);
      socket = socket === null || socket.destroyed || !socket.writable ? await dial(port) : socket;
      const sent = await exchange(socket, one, one.whole.method);
      const [reply] = sent.replies;
      if (sent.problem !== null || reply?.headers.get('connection') !== 'keep-alive') socket.destroy();
      return sent;
    },
    close: () => socket?.destroy(),
  };
}

function dial(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, noDelay: true });
    socket.once('error', reject).once('connect', () => {
      socket.off('error', reject).on('error', () => {});
      resolve(socket);
    });
  });
}

async function write(socket: Socket, { bytes, cuts }: FuzzCase): Promise<void> {
  let from = 0;
  for (const to of [...cuts, bytes.length]) {
    if (to > from && socket.writable) socket.write(bytes.subarray(from, to));
    from = Math.max(from, to);
    // Lets the pieces travel apart.
    if (to < bytes.length) await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Exactly one reply, and nothing after it. A reply may come before all is written; what is left is written before the next. */
async function exchange(socket: Socket, one: FuzzCase, method: string): Promise<Sent> {
  const written = write(socket, one);
  const sent = await replyOn(socket, method);
  await written;
  return sent;
}

function replyOn(socket: Socket, method: string): Promise<Sent> {
  return new Promise((resolve) => {
    let got: Buffer = Buffer.alloc(0);
    const end = (replies: readonly RawReply[], problem: string | null) => {
      clearTimeout(bound);
      socket.off('data', onData).off('close', onClose);
      resolve({ replies, bytes: got, problem });
    };
    const onData = (chunk: Buffer) => {
      got = got.length === 0 ? chunk : Buffer.concat([got, chunk]);
      const reply = readReply(got, method);
      if (reply === null) return;
      if (typeof reply === 'string') return end([], reply);
      end([reply], reply.length === got.length ? null : 'more than one reply came');
    };
    const onClose = () => end([], 'the connection closed without a reply');
    const bound = setTimeout(() => end([], `no reply within ${BOUND_MS} ms`), BOUND_MS);
    socket.on('data', onData).on('close', onClose);
  });
}

/** Whatever is answered until the connection ends, which it must: the sender says that nothing more comes. */
async function sendAlone(one: FuzzCase, port: number): Promise<Sent> {
  const socket = await dial(port);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  const ended = new Promise<string | null>((resolve) => {
    const bound = setTimeout(() => resolve(`still open after ${BOUND_MS} ms`), BOUND_MS);
    socket.once('close', () => {
      clearTimeout(bound);
      resolve(null);
    });
  });
  await write(socket, one);
  socket.end();
  const problem = await ended;
  socket.destroy();
  const bytes = Buffer.concat(chunks);
  const replies: RawReply[] = [];
  for (let rest = bytes; rest.length > 0; ) {
    const reply = readReply(rest, 'GET');
    // A connection that was cut may end within a reply.
    if (reply === null) break;
    if (typeof reply === 'string') return { replies, bytes, problem: reply };
    replies.push(reply);
    rest = rest.subarray(reply.length);
  }
  return { replies, bytes, problem };
}
