import { type AddressInfo, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createConnectionList } from '#gateway/client/transport/connection-list.ts';
import { createEndpoints } from '#gateway/client/transport/endpoints.ts';
import { exchange } from '#gateway/client/transport/exchange.ts';
import { createStop } from '#gateway/client/transport/stop.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { answer, scripted } from './scripted-gateway.ts';

const GET = { method: 'GET', path: '/x', headers: {}, body: null } as const;
const clock = { nowMs: 0 };
const now = () => clock.nowMs;
const stop = () => {
  const made = createStop({ deadlineMs: 60_000, signal: undefined, now });
  onTestFinished(() => made.end());
  return made;
};

function listOf(origin: string, over: { maxConnections?: number; maxAgeMs?: number } = {}) {
  const list = createConnectionList({
    ...{ origin, tls: undefined, now, random: () => 0 },
    ...{ maxConnections: 8, maxAgeMs: 1_000, connectTimeoutMs: 20_000, ...over },
  });
  onTestFinished(() => list.close());
  const take = async () => {
    const connection = await list.take(stop());
    if (connection === null) throw new Error('no connection');
    return connection;
  };
  return { ...list, take, takeUntil: list.take };
}

test('connections are reused first in, first out: A B C A B C', async () => {
  const server = await scripted((_request, response) => answer(response, {}));
  const list = listOf(server.url);
  const first = [await list.take(), await list.take(), await list.take()];
  await Promise.all(first.map(({ client }) => exchange(client, GET, stop())));
  for (const connection of first) list.giveBack(connection, true);
  for (let turn = 0; turn < 6; turn += 1) {
    const connection = await list.take();
    await exchange(connection.client, GET, stop());
    list.giveBack(connection, true);
  }
  const ports = server.seen.map(({ socket }) => socket.remotePort);
  const order = ports.slice(3).map((port) => 'ABC'[ports.indexOf(port)]);
  expect(order.join(' ')).toBe('A B C A B C');
});

test('a connection that is too old, or was closed by the server, is not used again', async () => {
  const server = await scripted((_request, response) => answer(response, {}));
  const list = listOf(server.url);
  const [old] = [await list.take()];
  list.giveBack(old, true);
  clock.nowMs += 1_000;
  const young = await list.take();
  expect(young.name).toBe(old.name + 1);
  await exchange(young.client, GET, stop());
  list.giveBack(young, true);
  server.seen[0]?.socket.destroy();
  await waitUntil(() => young.isGone);
  expect((await list.take()).name).toBe(young.name + 1);
});

test('past the cap callers wait in order, and one whose call has to end waits no longer', async () => {
  const list = listOf('http://127.0.0.1:1', { maxConnections: 1 });
  const only = await list.take();
  const order: string[] = [];
  const abort = new AbortController();
  const given = list.take().then((connection) => {
    order.push('first');
    list.giveBack(connection, true);
  });
  const short = createStop({ deadlineMs: 60_000, signal: abort.signal, now });
  const left = list.takeUntil(short);
  const last = list.take().then(() => order.push('last'));
  abort.abort();
  expect(await left).toBe(null);
  list.giveBack(only, true);
  await Promise.all([given, last]);
  expect(order).toEqual(['first', 'last']);
  expect(list.size()).toBe(1);
});

function endpointsOf(origins: readonly string[], random: () => number = Math.random) {
  const endpoints = createEndpoints({
    ...{ origins, tls: undefined, now: () => performance.now(), random },
    ...{ maxConnections: 32, maxAgeMs: 60_000, connectTimeoutMs: 20_000, leaveOutMs: 20 },
  });
  onTestFinished(() => endpoints.close());
  return endpoints;
}

test('of two endpoints the one with fewer requests in flight is used', async () => {
  const held: (() => void)[] = [];
  const slow = await scripted((_request, response) => void held.push(() => answer(response, {})));
  const quick = await scripted((_request, response) => answer(response, {}));
  const endpoints = endpointsOf([slow.url, quick.url]);
  const calls = Array.from({ length: 60 }, async () => endpoints.send(GET, stop()));
  await waitUntil(() => slow.seen.length + quick.seen.length === 60);
  const more: Promise<unknown>[] = [];
  for (let index = 0; index < 40; index += 1) {
    const before = slow.seen.length + quick.seen.length;
    more.push(endpoints.send(GET, stop()));
    await waitUntil(() => slow.seen.length + quick.seen.length > before);
  }
  for (const end of held) end();
  await Promise.all([...calls, ...more]);
  // The sixty went half and half at once; from then on one is idle and the other has thirty in flight.
  expect(quick.seen.length).toBeGreaterThan(60);
  expect(slow.seen.length).toBeLessThan(40);
});

/** Nobody listens there. */
const REFUSES = ['http://127.0.0.1:1', 'http://127.0.0.1:2'] as const;

test('an endpoint that refuses connections is left out, so that no call goes there', async () => {
  const live = await scripted((_request, response) => answer(response, {}));
  const endpoints = endpointsOf([REFUSES[0], live.url]);
  await waitUntil(async () => {
    await endpoints.send(GET, stop());
    return endpoints.leftOut().includes(REFUSES[0]);
  });
  const before = live.seen.length;
  for (let index = 0; index < 20; index += 1) {
    expect(await endpoints.send(GET, stop())).toMatchObject({ outcome: { status: 200 }, origin: live.url });
  }
  expect(live.seen.length).toBe(before + 20);
});

test('one that breaks new connections is left out, asked in the background, and used again when it answers', async () => {
  let breaks = true;
  const live = await scripted((_request, response) => answer(response, {}));
  const broken = createServer((socket) => {
    if (breaks) socket.resetAndDestroy();
    else socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}');
  });
  await new Promise<void>((resolve) => broken.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void broken.close());
  const url = `http://127.0.0.1:${(broken.address() as AddressInfo).port}`;
  const endpoints = endpointsOf([url, live.url]);
  await waitUntil(async () => {
    await endpoints.send(GET, stop());
    return endpoints.leftOut().includes(url);
  });
  breaks = false;
  await waitUntil(() => endpoints.leftOut().length === 0);
  await waitUntil(async () => (await endpoints.send(GET, stop())).origin === url);
});

test('when all are left out one is tried all the same, and a single one is never left out', async () => {
  const single = endpointsOf([REFUSES[0]]);
  expect((await single.send(GET, stop())).outcome).toMatchObject({ noReply: 'unreachable', wasSent: false });
  expect(single.leftOut()).toEqual([]);
  const both = endpointsOf(REFUSES);
  for (let index = 0; index < 6; index += 1) {
    expect((await both.send(GET, stop())).outcome).toMatchObject({ noReply: 'unreachable' });
  }
  expect([...both.leftOut()].sort()).toEqual([...REFUSES]);
});
