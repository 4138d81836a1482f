import type { Random } from '#test/gateway/histories/random.ts';
import { type Drawing, idOf } from './draw-body.ts';
import { plainRequest } from './draw-request.ts';
import { bytesOf } from './fuzz-case.ts';
import { randomBytes } from './odd-values.ts';

/** Bytes whose ends a proxy and a server might see at different places, and what is no request of HTTP/1.1 at all. */
export function oddFraming(drawing: Drawing): Buffer {
  const { random, as, loot } = drawing;
  const key = `Authorization: Bearer ${loot.keys[as]}`;
  const path = `/v1/${as}/objects/Message/${idOf(random)}`;
  const other = as === 'chat' ? 'rival' : 'chat';
  /** What would be a request of its own if the one before ended where it does not. */
  const inner = `GET /v1/${other}/objects/Message/secret HTTP/1.1\r\nHost: g\r\n${key}\r\n\r\n`;
  const put = (lines: string, body: string) => `PUT ${path} HTTP/1.1\r\nHost: g\r\n${key}\r\n${lines}\r\n\r\n${body}`;
  const text = random.one([
    () => put('Content-Length: 4\r\nTransfer-Encoding: chunked', `0\r\n\r\n${inner}`),
    () => put(`Transfer-Encoding: chunked\r\nContent-Length: ${inner.length + 5}`, `0\r\n\r\n${inner}`),
    () => put(`Content-Length: 3\r\nContent-Length: ${3 + inner.length}`, `abc${inner}`),
    () => put(`Content-Length: 3, 3`, `abc${inner}`),
    () =>
      put(
        `Content-Length: ${random.one(['+3', '-3', '0x3', '3 ', '\t3', '03', '3.0', '99999999999999999999', ''])}`,
        `abc${inner}`,
      ),
    () =>
      put(
        `Transfer-Encoding: ${random.one(['chunked', 'Chunked', 'chunked, identity', 'identity, chunked', 'xchunked', '\vchunked', 'gzip, chunked'])}`,
        chunks(random, inner),
      ),
    () => put('Transfer-Encoding : chunked', chunks(random, inner)),
    () => put('Content-Length: 3\r\n X-Folded: 1', 'abc'),
    () => put('Content-Length:\r\n 3', 'abc'),
    () => put('X: 1\rContent-Length: 3', `abc${inner}`),
    () => put(`X: ${String.fromCharCode(random.below(32))}`, ''),
    () => `PUT ${path} HTTP/1.1\nHost: g\n${key}\nContent-Length: 3\n\nabc${inner}`,
    () => `GET ${path} HTTP/1.1\r\n${key}\r\n\r\n`,
    () => `GET ${path} HTTP/1.1\r\nHost: a\r\nHost: b\r\n${key}\r\n\r\n`,
    () => `GET ${path} HTTP/${random.one(['1.0', '0.9', '2.0', '1.2', '9.9', '1', 'x'])}\r\nHost: g\r\n${key}\r\n\r\n`,
    () => `GET ${path}\r\n\r\n`,
    () => `GET http://${random.one(['g', 'evil', 'a:b@g', '[::1]', ''])}${path} HTTP/1.1\r\nHost: g\r\n${key}\r\n\r\n`,
    () =>
      `${random.one(['CONNECT', 'GET', 'OPTIONS'])} ${random.one(['g:443', '*', 'g', 'http:', '//g/v1', '?', '#'])} HTTP/1.1\r\nHost: g\r\n${key}\r\n\r\n`,
    () =>
      `${random.one(['TRACE', 'PRI', 'MKCOL', 'get', 'GeT', 'G\u0000T', 'X'.repeat(200), 'SOURCE'])} ${path} HTTP/1.1\r\nHost: g\r\n${key}\r\n\r\n`,
    () =>
      `GET ${path} HTTP/1.1\r\nHost: g\r\n${key}\r\nConnection: Upgrade\r\nUpgrade: ${random.one(['websocket', 'h2c'])}\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n`,
    () => put(`Content-Length: 3\r\nExpect: ${random.one(['100-continue', '200-ok'])}`, 'abc'),
    () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    () => `\r\n\r\n\r\nGET ${path} HTTP/1.1\r\nHost: g\r\n${key}\r\n\r\n`,
    () => `GARBAGE\r\n\r\n${inner}`,
    () => put('Content-Length: 3', `abcGARBAGE\r\n\r\n${inner}`),
    () => `GET ${path} HTTP/1.1\r\nHost: g\r\n${key}\r\nX: ${'y'.repeat(17_000)}\r\n\r\n`,
    () => `GET /${'y'.repeat(17_000)} HTTP/1.1\r\nHost: g\r\n${key}\r\n\r\n`,
    () => put(`Content-Length: ${random.one([10, 1_000_000, 1_400_001, 8_000_001])}`, 'abc'),
    () => put('Transfer-Encoding: chunked', `FFFFFFFFFFFFFFFFF\r\nabc`),
    () => '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003',
  ])();
  return Buffer.from(text, 'latin1');
}

function chunks(random: Random, inner: string): string {
  const extension = random.one(['', ';a=b', ';a="\\r\\n"', ` ;${'e'.repeat(200)}`]);
  const trailers = random.one([
    '',
    'X-Trailer: 1\r\n',
    'Content-Length: 900\r\n',
    'Authorization: Bearer x\r\n',
    'Transfer-Encoding: chunked\r\n',
  ]);
  return `3${extension}\r\nabc\r\n${random.one(['0', '00', '-0', '0x0'])}\r\n${trailers}\r\n${random.chance(50) ? inner : ''}`;
}

/** Several requests at once, of which the middle one may be spoiled. */
export function pipelined(drawing: Drawing): Buffer {
  const { random } = drawing;
  const first = bytesOf(plainRequest(drawing));
  const middle = random.one([
    () => oddFraming(drawing),
    () => randomBytes(random, 30),
    () => bytesOf(plainRequest(drawing)),
  ])();
  return Buffer.concat([first, middle, bytesOf(plainRequest(drawing))]);
}
