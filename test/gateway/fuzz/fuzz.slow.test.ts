import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ErrorBody } from '#gateway/contract/errors.ts';
import { type FuzzTarget, startTarget } from './fuzz-target.ts';
import { readReply } from './read-replies.ts';
import { runFuzz } from './run-fuzz.ts';

const CASES = 20_000;
/** Some 40 s on two idle cores. */
const TIMEOUT_MS = 900_000;
const SEED = 20_261_130;
let target: FuzzTarget;

beforeAll(async () => {
  target = await startTarget();
});
afterAll(() => target?.stop());

test('no hostile input yields a 500, a hang, a crash or what another tenant stored', {
  timeout: TIMEOUT_MS,
}, async () => {
  const replay = (index: number) => `HABITAT_SEED=${SEED} HABITAT_CASE=${index} npm run soak -- hostileInput`;
  const { cases, replies, statuses, problems } = await runFuzz(target, { seed: SEED, from: 0, to: CASES, replay });
  expect(problems.join('\n\n')).toBe('');
  expect(cases).toBe(CASES);
  expect(replies).toBeGreaterThan(CASES * 0.9);
  // Much of it gets through to the store, and much of it does not.
  for (const status of [200, 201, 400, 401, 403, 404, 413, 422])
    expect(statuses[status], String(status)).toBeGreaterThan(10);
});

test.concurrent.each([
  ['a head that trickles in', 'GET / HTTP/1.1\r\nHost: g\r\n', 'X-Slow: 1\r\n'],
  ['a connection on which nothing comes', '', ''],
])('%s is cut off, however patient its sender is', async (_, first, again) => {
  const socket = connect({ host: '127.0.0.1', port: target.port });
  const chunks: Buffer[] = [];
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.on('data', (chunk) => chunks.push(chunk)).on('error', () => {});
  socket.write(first);
  const trickle = setInterval(() => socket.writable && socket.write(again), 500);
  await closed;
  clearInterval(trickle);
  const reply = readReply(Buffer.concat(chunks), 'GET');
  const { error } = ErrorBody.parse(JSON.parse(String(Object(reply).body)));
  expect(error.code).toBe('deadline_exceeded');
  expect(await target.check()).toEqual([]);
});
