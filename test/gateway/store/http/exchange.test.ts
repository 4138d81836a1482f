import { expect, it, onTestFinished } from 'vitest';
import { assertFifo } from '#gateway/store/http/assert-fifo.ts';
import { exchange } from '#gateway/store/http/exchange.ts';
import { createFreeList, type FreeList, type FreeListOptions } from '#gateway/store/http/free-list.ts';
import { type RawServer, replyOf, startRawServer } from '#test/gateway/store/http/raw-server.ts';
import { waitUntil } from '#test/support/wait-until.ts';

function listOf(server: RawServer, change: Partial<FreeListOptions> = {}): FreeList {
  const { origin } = server;
  const list = createFreeList({ origin, maxConnections: 128, now: Date.now, random: () => 0, ...change });
  onTestFinished(() => list.close());
  return list;
}

/** One request over the list; resolves with the body of its reply. */
async function send(list: FreeList, signal?: AbortSignal): Promise<string> {
  const connection = await list.take(signal);
  const reply = await exchange(connection.client, {
    ...{ method: 'GET', path: '/', headers: {}, body: null, signal, onSend: () => undefined },
    onFree: (isSound) => list.giveBack(connection, isSound),
    onAbandon: () => list.noteAbandoned(connection),
  });
  return reply.text;
}

const instantly = () => replyOf(200, '{}');

/** Replies only when told, to all that wait. */
function heldReplies() {
  const held: (() => void)[] = [];
  return {
    answer: () => new Promise<string>((resolve) => held.push(() => resolve(instantly()))),
    count: () => held.length,
    release: () => held.splice(0).forEach((reply) => void reply()),
  };
}

it('the server sees one request after another on A B C A B C', async () => {
  const held = heldReplies();
  const server = await startRawServer((_, index) => (index < 3 ? held.answer() : instantly()));
  const list = listOf(server);
  assertFifo(list);
  const together = [send(list), send(list), send(list)];
  await waitUntil(() => held.count() === 3);
  held.release();
  await Promise.all(together);
  for (let turn = 0; turn < 6; turn += 1) await send(list);
  const order = server.requests.map((request) => request.connection);
  expect(new Set(order.slice(0, 3)).size).toBe(3);
  expect(order.slice(3)).toEqual([...order.slice(0, 3), ...order.slice(0, 3)]);
  expect(list.stats()).toEqual({ open: 3, idle: 3, waiting: 0, opened: 3, requests: 9 });
});

it('after a burst the sockets are closed down to the base', async () => {
  const held = heldReplies();
  const server = await startRawServer(held.answer);
  const list = listOf(server, { baseConnections: 3, tickMs: 10, calmMs: 50 });
  const together = Array.from({ length: 40 }, () => send(list));
  await waitUntil(() => held.count() === 40);
  held.release();
  await Promise.all(together);
  expect(server.accepted()).toBe(40);
  await waitUntil(() => server.open() === 3);
  expect(list.stats()).toMatchObject({ open: 3, idle: 3, opened: 40, requests: 40 });
});

it('a burst opens few connections at once, and all of it is served', async () => {
  const server = await startRawServer(instantly);
  const list = listOf(server, { maxDialling: 4 });
  const burst = Array.from({ length: 100 }, () => send(list));
  expect(list.stats()).toMatchObject({ open: 4, waiting: 96 });
  expect(await Promise.all(burst)).toEqual(burst.map(() => '{}'));
  expect(list.stats()).toMatchObject({ waiting: 0, requests: 100, opened: server.accepted() });
});

it.each(['close', 'Close', 'keep-alive, close'])('a reply with "connection: %s" ends its connection', async (value) => {
  const server = await startRawServer(() => replyOf(200, '{}', { connection: value }));
  const list = listOf(server);
  await send(list);
  await send(list);
  expect(server.requests.map((request) => request.connection)).toEqual([1, 2]);
  expect(list.stats()).toMatchObject({ open: 0, opened: 2 });
});

it('a connection that the server closed while idle leaves the list and is not used again', async () => {
  const server = await startRawServer(instantly);
  const list = listOf(server);
  await send(list);
  server.requests[0]?.socket.end();
  await waitUntil(() => list.stats().open === 0);
  expect(await send(list)).toBe('{}');
  expect(list.stats()).toMatchObject({ open: 1, opened: 2 });
});

it('an aborted request rejects at once; its connection comes back with the late reply', async () => {
  const held = heldReplies();
  const server = await startRawServer((_, index) => (index === 0 ? held.answer() : instantly()));
  const list = listOf(server);
  const abort = new AbortController();
  const loser = send(list, abort.signal);
  await waitUntil(() => held.count() === 1);
  abort.abort();
  await expect(loser).rejects.toThrow('ran out of time');
  expect(list.stats()).toMatchObject({ open: 1, idle: 0 });
  held.release();
  await waitUntil(() => list.stats().idle === 1);
  expect(await send(list)).toBe('{}');
  expect(server.accepted()).toBe(1);
});

it('the connection of an aborted request whose reply never comes is closed', async () => {
  const server = await startRawServer(() => null);
  const list = listOf(server);
  const abort = new AbortController();
  const hanging = send(list, abort.signal);
  await waitUntil(() => server.requests.length === 1);
  abort.abort();
  await expect(hanging).rejects.toThrow('ran out of time');
  await waitUntil(() => server.open() === 0 && list.stats().open === 0);
});

it('at the cap a request takes the room of one whose reply is no longer wanted', async () => {
  const server = await startRawServer((_, index) => (index === 0 ? null : instantly()));
  const list = listOf(server, { maxConnections: 1 });
  const abort = new AbortController();
  const hanging = send(list, abort.signal);
  await waitUntil(() => server.requests.length === 1);
  abort.abort();
  await expect(hanging).rejects.toThrow('ran out of time');
  expect(await send(list)).toBe('{}');
});

it('a request aborted before it was sent never reaches the server', async () => {
  const server = await startRawServer(instantly);
  const list = listOf(server);
  await expect(send(list, AbortSignal.abort())).rejects.toThrow();
  expect(await send(list)).toBe('{}');
  expect(server.requests).toHaveLength(1);
});

it('an interim reply is not the reply', async () => {
  const early = 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n';
  const server = await startRawServer(() => early + replyOf(200, '{"a":1}'));
  expect(await send(listOf(server))).toBe('{"a":1}');
});

it('a byte order mark is no part of the text', async () => {
  const server = await startRawServer(() => replyOf(200, '\uFEFF{"a":1}'));
  expect(await send(listOf(server))).toBe('{"a":1}');
});
