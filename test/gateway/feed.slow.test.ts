import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { exampleItems, makeKey } from '#test/gateway/fixtures/definitions.ts';
import { eventually } from '#test/gateway/fixtures/eventually.ts';
import { caller, type TestGateway } from '#test/gateway/fixtures/gateway.ts';
import { type Stack, startStack } from '#test/gateway/fixtures/stack.ts';
import { containerOf } from '#test/gateway/store/stored-items.ts';

const key = makeKey('chat-api');
const Page = z.looseObject({ edges: z.array(z.looseObject({ toId: z.string() })) });

let stack: Stack;
let gateways: TestGateway[] = [];
beforeAll(async () => {
  stack = await startStack(exampleItems(key));
  gateways = [stack.gateway];
});
afterEach(() => stack.cosmos.faults.clear());
afterAll(() => stack?.stop());

/** Edges from a conversation whose inverses cannot be written, so that they are left in the outbox. */
async function putBroken(url: string, conversation: string, messages: readonly string[]): Promise<void> {
  const call = caller(url, key.token);
  for (const message of messages) {
    const effect = { kind: 'batchStatus', status: 413 } as const;
    stack.cosmos.faults.add({ partition: `chat|Message|${message}`, operations: ['batch'], effect });
    const put = await call('PUT', `/objects/Conversation/${conversation}/edges/messages/${message}`, { body: '{}' });
    expect(put.status).toBe(201);
  }
}

async function openEntries(conversation: string): Promise<number> {
  const partitionKey = `chat|Conversation|${conversation}`;
  const query = containerOf(stack.cosmos).items.query<{ id: string; done?: boolean }>('SELECT * FROM c', {
    partitionKey,
  });
  const { resources } = await query.fetchAll();
  return resources.filter(({ id, done }) => id.startsWith('x~') && done !== true).length;
}

async function inversesOf(url: string, message: string): Promise<string[]> {
  const list = await caller(url, key.token)('GET', `/objects/Message/${message}/edges/inConversation`);
  return Page.parse(list.body).edges.map(({ toId }) => toId);
}

it('T3: a gateway killed between a forward edge and its inverse repairs it after its restart', async () => {
  const [first] = gateways;
  await putBroken(first?.url ?? '', 'killed', ['k1', 'k2']);
  await first?.kill('SIGKILL');
  expect(await openEntries('killed')).toBe(2);
  await stack.cosmos.faults.clear();
  const again = await stack.home.start({ GATEWAY_WORKERS: '1' });
  gateways = [again];
  await eventually('the outbox is empty', async () => (await openEntries('killed')) === 0, 30_000);
  expect([await inversesOf(again.url, 'k1'), await inversesOf(again.url, 'k2')]).toEqual([['killed'], ['killed']]);
});

it('a gateway that is killed while it works on the feed leaves its ranges to another gateway', async () => {
  // Manifests of this console name one gateway, so both have its name; in leases the state folder tells them apart.
  const other = await stack.home.start({ GATEWAY_WORKERS: '1', GATEWAY_STATE_DIR: `${stack.home.dir}/other` });
  await eventually('the other gateway serves', async () => (await fetch(`${other.url}/readyz`)).ok, 60_000);
  const [first] = gateways;
  await putBroken(other.url, 'shared', ['s1', 's2', 's3']);
  await first?.kill('SIGKILL');
  await stack.cosmos.faults.clear();
  await eventually('the outbox is empty', async () => (await openEntries('shared')) === 0, 60_000);
  for (const message of ['s1', 's2', 's3']) expect(await inversesOf(other.url, message)).toEqual(['shared']);
  const metrics = await (await fetch(`${other.url}/metrics`)).text();
  expect(metrics).toMatch(/^habitat_feed_parked_entries 0$/m);
});
