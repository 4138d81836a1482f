import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { ErrorBody } from '#gateway/contract/errors.ts';
import { MAX_HEAD_BYTES, refuseUnread } from '#gateway/http/refuse-unread.ts';
import { type RawReply, readReply } from '#test/gateway/fuzz/read-replies.ts';

const GET = 'GET / HTTP/1.1\r\nHost: g\r\n\r\n';
let server: Server;
let served: string[] = [];
/** Ends the replies that wait. */
let answer: () => void = () => {};

async function start(): Promise<number> {
  served = [];
  const waiting: (() => void)[] = [];
  answer = () => {
    for (const one of waiting.splice(0)) one();
  };
  const limits = { headersTimeout: 400, connectionsCheckingInterval: 100, maxHeaderSize: MAX_HEAD_BYTES };
  server = createServer(limits, (message, response) => {
    served.push(message.url ?? '');
    if (message.url === '/slow') waiting.push(() => response.end('slow'));
    else response.end('served');
  });
  let ids = 0;
  refuseUnread(server, { nextId: () => `id-${++ids}`, consoleUrl: 'http://console' });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** What comes back until the connection ends. */
function send(port: number, text: string, whenSent: (socket: Socket) => void = () => {}): Promise<readonly RawReply[]> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text, 'latin1', () => whenSent(socket)));
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', () => {});
    socket.on('close', () => {
      const replies: RawReply[] = [];
      for (let rest = Buffer.concat(chunks); rest.length > 0; ) {
        const reply = readReply(rest, 'GET');
        if (reply === null || typeof reply === 'string') throw new Error(`No reply: ${rest.toString('latin1')}`);
        replies.push(reply);
        rest = rest.subarray(reply.length);
      }
      resolve(replies);
    });
  });
}

function refusalOf(reply: RawReply | undefined) {
  const { error } = ErrorBody.parse(JSON.parse(String(reply?.body)));
  expect(reply?.headers.get('habitat-request-id')).toBe(error.requestId);
  expect(reply?.headers.get('connection')).toBe('close');
  expect(error.help).toBe(`http://console/requests/${error.requestId}?code=${error.code}`);
  return [reply?.status, error.code];
}

test.each([
  ['what is no HTTP', 'GARBAGE\r\n\r\n', [400, 'malformed_request']],
  [
    'two lengths',
    'PUT / HTTP/1.1\r\nHost: g\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
    [400, 'malformed_request'],
  ],
  [
    'a length and chunks',
    'PUT / HTTP/1.1\r\nHost: g\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    [400, 'malformed_request'],
  ],
  [
    'a head of more than 16 KB',
    `GET / HTTP/1.1\r\nX: ${'y'.repeat(MAX_HEAD_BYTES)}\r\n\r\n`,
    [413, 'request_too_large'],
  ],
  ['a head that does not end', 'GET / HTTP/1.1\r\nHost: g\r\nX: ', [504, 'deadline_exceeded']],
  ['a connection on which nothing comes', '', [504, 'deadline_exceeded']],
])('%s is refused like everything else, and the connection closed', async (_, text, refused) => {
  const replies = await send(await start(), text);
  expect(replies.map(refusalOf)).toEqual([refused]);
  expect(served).toEqual([]);
});

test('nothing that follows what cannot be read is served', async () => {
  const replies = await send(await start(), `${GET}GARBAGE\r\n\r\n${GET.replace('/', '/after')}`);
  expect(served).toEqual(['/']);
  expect(replies[0]?.body.toString()).toBe('served');
});

test('a body that breaks off after its request was answered brings no second reply', async () => {
  const port = await start();
  const head = 'PUT /early HTTP/1.1\r\nHost: g\r\nTransfer-Encoding: chunked\r\n\r\n';
  const replies = send(port, head, (socket) => {
    void expect
      .poll(() => served)
      .toEqual(['/early'])
      .then(() => socket.write('not a chunk\r\n'));
  });
  expect((await replies).map(({ body }) => body.toString())).toEqual(['served']);
});

test('a request before what cannot be read gets its own reply, and no other one', async () => {
  const port = await start();
  const replies = send(port, `${GET.replace('/', '/slow')}GARBAGE\r\n\r\n`);
  await expect.poll(() => served).toEqual(['/slow']);
  answer();
  expect((await replies).map(({ body }) => body.toString())).toEqual(['slow']);
});
