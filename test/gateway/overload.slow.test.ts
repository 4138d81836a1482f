import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exampleItems, makeKey } from '#test/gateway/fixtures/definitions.ts';
import { eventually } from '#test/gateway/fixtures/eventually.ts';
import { caller } from '#test/gateway/fixtures/gateway.ts';
import { type Stack, startStack } from '#test/gateway/fixtures/stack.ts';

/** More than one worker holds at a time. */
const CROWD = 1_100;

const key = makeKey('chat-api');
let stack: Stack;
beforeAll(async () => {
  stack = await startStack(exampleItems(key), {}, { GATEWAY_WORKERS: '1' });
});
afterAll(() => stack?.stop());

/** A put whose content never comes whole: it is in flight until its caller leaves, without asking the store. */
function begin(id: string, onText: (text: string) => void): Socket {
  const { hostname, port } = new URL(stack.gateway.url);
  const socket = connect(Number(port), hostname);
  let text = '';
  socket
    .on('error', () => undefined)
    .on('data', (bytes) => {
      text += bytes.toString('utf8');
      onText(text);
    });
  socket.write(
    `PUT /v1/chat/objects/Message/${id} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key.token}\r\n` +
      'Habitat-Deadline-Ms: 30000\r\nContent-Length: 5\r\n\r\nab',
  );
  return socket;
}

test('a worker with more requests than it can hold is overloaded, says when to come back, and recovers', async () => {
  const replies = new Map<number, string>();
  const crowd = Array.from({ length: CROWD }, (_, n) => begin(`crowd-${n}`, (text) => replies.set(n, text)));
  const refusals = () => [...replies.values()].filter((text) => text.includes('"code":"overloaded"'));
  await eventually('one is refused', () => refusals().length > 0);
  for (const text of refusals()) {
    expect(text).toMatch(/^HTTP\/1\.1 503 /);
    expect(text).toMatch(/^retry-after: 1\r$/im);
  }
  const call = caller(stack.gateway.url, key.token);
  const refused = await call('GET', '/objects/Message/m1');
  expect([refused.status, refused.code]).toEqual([503, 'overloaded']);
  for (const socket of crowd) socket.destroy();
  await eventually(
    'it serves again',
    async () => (await call('GET', '/objects/Message/m1')).code === 'object_not_found',
  );
});
