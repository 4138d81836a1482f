import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RawRequest, send } from '#test/gateway/emulator/raw-request.ts';
import { startTwoRegions, type TwoRegions } from '#test/gateway/emulator/two-regions.ts';

let test: TwoRegions;
const unexpected: unknown[] = [];
beforeAll(async () => {
  test = await startTwoRegions({ onUnexpected: (error) => void unexpected.push(error) });
});
afterAll(async () => {
  await test.close();
  expect(unexpected).toEqual([]);
});

function rawSocket(): Promise<Socket> {
  const socket = connect(Number(new URL(test.east.url).port), '127.0.0.1');
  return new Promise((resolve) => socket.once('connect', () => resolve(socket)));
}

it('a body of any length and in any pieces arrives whole', async () => {
  const body = JSON.stringify({ id: 'pieces', pk: 'p', fill: 'é'.repeat(300_000) });
  const chunked: Partial<RawRequest> = { method: 'POST', headers: { 'transfer-encoding': 'chunked' }, body };
  expect((await test.east.raw('', 'p', chunked)).status).toBe(201);
  expect((await test.east.raw('pieces', 'p')).body.length).toBeGreaterThan(300_000);
  // A read that brings a body is a read.
  expect((await test.east.raw('pieces', 'p', { headers: { 'content-length': '1' }, body: 'x' })).status).toBe(200);
});

it('a body above every limit is read to its end and refused 413', async () => {
  const reply = await test.east.raw('', 'p', { method: 'POST', body: 'x'.repeat(5 * 1024 * 1024) });
  expect(reply).toMatchObject({ status: 413, body: expect.stringContaining('too large') });
});

it('a client that leaves in the middle of its body is forgotten', async () => {
  const socket = await rawSocket();
  socket.write('POST /dbs/test/colls/c/docs HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{"id":');
  // The endpoint has seen it once it answers another request on another connection.
  await send({ url: test.east.url, key: test.emulator.key, path: '' });
  socket.resetAndDestroy();
  expect((await test.east.raw('absent', 'p')).status).toBe(404);
});

it('what is no HTTP is refused by a 400 and the end of the connection', async () => {
  const socket = await rawSocket();
  const answered = new Promise<string>((resolve) => socket.once('data', (data) => resolve(data.toString())));
  socket.write('nonsense\r\n\r\n');
  expect(await answered).toContain('400 Bad Request');
  socket.destroy();
});
