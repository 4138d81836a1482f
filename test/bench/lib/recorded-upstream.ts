import { createServer as createPlain, type Server, type Socket } from 'node:net';
import { createServer as createTls } from 'node:tls';
import { type Relay, takeRequest } from './relay.ts';

/**
 * In front of a Cosmos endpoint, over TLS or not: the first reply that finds an item is kept and given to all reads of it that
 * follow, until a write meets its partition; everything else is handed on. What lies behind a proxy under test then costs
 * next to nothing, and what it says is what Cosmos said.
 */
export interface UpstreamOptions {
  readonly relay: Relay;
  /** What was recorded; servers may share it. */
  readonly kept: Map<string, Buffer>;
  /** PEM; plain TCP without. */
  readonly tls: { readonly key: string; readonly cert: string } | null;
}

export function createUpstream({ relay, kept, tls }: UpstreamOptions): Server {
  const serve = (socket: Socket) => serveSocket(socket, { relay, kept });
  return tls === null ? createPlain({ noDelay: true }, serve) : createTls({ ...tls, noDelay: true }, serve);
}

interface Means {
  readonly relay: Relay;
  readonly kept: Map<string, Buffer>;
}

function serveSocket(socket: Socket, means: Means): void {
  let pending: Buffer = Buffer.alloc(0);
  let isBusy = false;
  socket.on('error', () => undefined);
  socket.on('data', (chunk: Buffer) => {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    void work();
  });

  /** One request after another, as HTTP/1.1 wants it. */
  async function work(): Promise<void> {
    if (isBusy) return;
    isBusy = true;
    for (let request = takeRequest(pending); request !== null; request = takeRequest(pending)) {
      pending = request.rest;
      const key = keyOf(request.head);
      const known = key === null ? undefined : means.kept.get(key);
      const reply = known ?? (await means.relay(request));
      if (key === null) forget(request.head, means.kept);
      else if (known === undefined && isFound(reply)) means.kept.set(key, reply);
      if (!socket.destroyed) socket.write(reply);
    }
    isBusy = false;
  }
}

const FOUND = Buffer.from('HTTP/1.1 200 ');
const isFound = (reply: Buffer): boolean => reply.subarray(0, FOUND.length).equals(FOUND);

/** Partition key and path of a read of an item; null for everything else. */
function keyOf(head: string): string | null {
  if (!head.startsWith('GET /dbs/')) return null;
  const path = head.slice(4, head.indexOf(' ', 4));
  return path.includes('/docs/') ? `${partitionOf(head)}\n${path}` : null;
}

function partitionOf(head: string): string {
  return /^x-ms-documentdb-partitionkey: *(.*)$/im.exec(head)?.[1]?.trim() ?? '';
}

/** A write changes what reads of its partition would say. */
function forget(head: string, kept: Map<string, Buffer>): void {
  const partition = partitionOf(head);
  if (partition === '') return;
  for (const key of kept.keys()) if (key.startsWith(`${partition}\n`)) kept.delete(key);
}
