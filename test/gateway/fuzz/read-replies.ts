/** One reply as it came over the wire. */
export interface RawReply {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
  /** Bytes of it in the stream. */
  readonly length: number;
}

const END_OF_HEAD = Buffer.from('\r\n\r\n');

/**
 * The first reply in what came so far; interim ones are passed over. Null while it is not whole, a sentence when it can be none.
 * `method` decides whether a body follows the head.
 */
export function readReply(bytes: Buffer, method: string): RawReply | string | null {
  const headEnd = bytes.indexOf(END_OF_HEAD);
  if (headEnd < 0) return bytes.length > 64_000 ? 'the head of a reply does not end' : null;
  const [first = '', ...lines] = bytes.toString('latin1', 0, headEnd).split('\r\n');
  const [, status] = /^HTTP\/1\.1 (\d{3}) /.exec(first) ?? [];
  if (status === undefined) return `a reply begins with ${JSON.stringify(first.slice(0, 80))}`;
  const start = headEnd + 4;
  if (status.startsWith('1')) {
    const next = readReply(bytes.subarray(start), method);
    return typeof next === 'object' && next !== null ? { ...next, length: next.length + start } : next;
  }
  const headers = new Map(lines.map((line) => splitOnce(line)));
  const framed = { status: Number(status), headers };
  if (method === 'HEAD' || status === '204' || status === '304')
    return { ...framed, body: Buffer.alloc(0), length: start };
  if (headers.get('transfer-encoding') === 'chunked') return readChunks(bytes, start, framed);
  const length = Number(headers.get('content-length') ?? 0);
  if (!Number.isSafeInteger(length)) return 'the length of a reply is no number';
  if (bytes.length < start + length) return null;
  return { ...framed, body: bytes.subarray(start, start + length), length: start + length };
}

function splitOnce(line: string): readonly [string, string] {
  const at = line.indexOf(':');
  return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()];
}

function readChunks(
  bytes: Buffer,
  start: number,
  framed: Pick<RawReply, 'status' | 'headers'>,
): RawReply | string | null {
  const parts: Buffer[] = [];
  for (let at = start; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd < 0) return null;
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16);
    if (Number.isNaN(size)) return 'a chunk of a reply has no size';
    const from = lineEnd + 2;
    if (bytes.length < from + size + 2) return null;
    if (size === 0) return { ...framed, body: Buffer.concat(parts), length: from + 2 };
    parts.push(bytes.subarray(from, from + size));
    at = from + size + 2;
  }
}
