import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createClient, type HabitatError, type RequestNote } from '#gateway/client/client.ts';
import { edgeType, exampleItems, makeKey } from '#test/gateway/fixtures/definitions.ts';
import { eventually } from '#test/gateway/fixtures/eventually.ts';
import type { TestGateway } from '#test/gateway/fixtures/gateway.ts';
import { type Stack, startStack } from '#test/gateway/fixtures/stack.ts';
import { chatTypes } from './chat-types.ts';

const key = makeKey('chat-api');
let stack: Stack;
let other: TestGateway;

beforeAll(async () => {
  const items = exampleItems(key);
  items.edgeType.push(edgeType('pins', 'Conversation', 'Message'));
  stack = await startStack(items);
  other = await stack.home.start({ GATEWAY_STATE_DIR: join(stack.home.dir, 'state-2') });
  // Without a release it would be left out from the beginning.
  await eventually('the other one serves', async () => (await fetch(`${other.url}/readyz`)).ok, 120_000);
});
afterAll(() => stack?.stop());

test('a gateway that is killed among others costs no call: reads and writes go on, each write has one effect', async () => {
  const notes: RequestNote[] = [];
  const endpoints = [stack.gateway.url, other.url];
  const client = createClient({
    ...{ types: chatTypes, endpoints, tenant: 'chat', key: key.token, deadlineMs: 60_000 },
    onRequest: (note) => void notes.push(note),
  });
  const from = client.ref('Conversation', 'killed');
  const edgeTo = (index: number) => ({ from, type: 'pins', to: client.ref('Message', `m${index}`) }) as const;
  const failures: HabitatError[] = [];
  const acknowledged = new Set<string>();
  let next = 0;
  let isKilled = false;
  const caller = async () => {
    while (next < 240) {
      const edge = edgeTo(next);
      next += 1;
      await client.edges.put(edge).then(
        () => acknowledged.add(edge.to.id),
        (error: HabitatError) => failures.push(error),
      );
      await client.edges.count(edge).catch((error: HabitatError) => failures.push(error));
      if (next >= 120 && !isKilled) {
        isKilled = true;
        await killForGood(other);
      }
    }
  };
  await Promise.all(Array.from({ length: 8 }, caller));
  expect(failures).toEqual([]);
  const found = new Set<string>();
  for await (const { to } of client.edges.iterate({ from, type: 'pins' }, { atMost: 1_000 })) found.add(to.id);
  expect(found).toEqual(acknowledged);
  expect(found.size).toBe(240);
  expect(await client.edges.count({ from, type: 'pins' })).toBe(240);
  // Both served, and what the dead one had in flight was sent again.
  expect(new Set(notes.map(({ endpoint }) => endpoint))).toEqual(new Set(endpoints));
  expect(notes.some(({ attempts }) => attempts > 1)).toBe(true);
  const last = notes.slice(-50);
  expect(new Set(last.map(({ endpoint }) => endpoint))).toEqual(new Set([stack.gateway.url]));
  await client.close();
});

/** Kills it and keeps its port, breaking each connection, so that no other process answers in its place. */
async function killForGood({ url, kill }: TestGateway): Promise<void> {
  await kill('SIGKILL');
  const { port, hostname } = new URL(url);
  const server = createServer((socket) => socket.resetAndDestroy());
  await new Promise<void>((resolve) => server.listen(Number(port), hostname, resolve));
  onTestFinished(() => void server.close());
}
