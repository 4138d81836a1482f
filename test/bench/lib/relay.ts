import { Agent, request as send } from 'node:http';

export interface RawRequest {
  readonly method: string;
  readonly path: string;
  /** Request line and headers. */
  readonly head: string;
  readonly body: Buffer;
  /** What came after it. */
  readonly rest: Buffer;
}

export type Relay = (request: RawRequest) => Promise<Buffer>;

/** The first whole request among these bytes; null while there is none. Bodies have a length. */
export function takeRequest(bytes: Buffer): RawRequest | null {
  const end = bytes.indexOf('\r\n\r\n');
  if (end === -1) return null;
  const head = bytes.toString('latin1', 0, end);
  const length = head.startsWith('GET') ? 0 : Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
  const from = end + 4;
  if (bytes.length < from + length) return null;
  const [method = '', path = ''] = head.slice(0, head.indexOf('\r\n')).split(' ');
  return { method, path, head, body: bytes.subarray(from, from + length), rest: bytes.subarray(from + length) };
}

/** Hands requests on to `target` and gives their replies as bytes; the address of the target reads as `own` in them. */
export function createRelay(target: string, own: string): Relay {
  const agent = new Agent({ keepAlive: true });
  return (request) =>
    new Promise((resolve, reject) => {
      const { method, path } = request;
      const outgoing = send(new URL(path, target), { method, agent, headers: headersOf(request.head) }, (reply) => {
        const chunks: Buffer[] = [];
        reply.on('data', (chunk: Buffer) => chunks.push(chunk));
        reply.on('error', reject);
        reply.on('end', () => {
          const body = Buffer.from(Buffer.concat(chunks).toString('utf8').replaceAll(target, own));
          resolve(Buffer.concat([Buffer.from(headOf(reply.statusCode ?? 500, reply.rawHeaders, body.length)), body]));
        });
      });
      outgoing.on('error', reject);
      outgoing.end(request.body);
    });
}

function headersOf(head: string): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const line of head.split('\r\n').slice(1)) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    if (name !== 'host' && name !== 'connection') headers[name] = line.slice(colon + 1).trim();
  }
  return headers;
}

/** Framing is ours: the whole body with its length, over a connection that stays. */
const FRAMING = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length']);

function headOf(status: number, raw: readonly string[], length: number): string {
  const lines = [`HTTP/1.1 ${status} Recorded`, `content-length: ${length}`];
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at] ?? '';
    if (!FRAMING.has(name.toLowerCase())) lines.push(`${name}: ${raw[at + 1] ?? ''}`);
  }
  return `${lines.join('\r\n')}\r\n\r\n`;
}
