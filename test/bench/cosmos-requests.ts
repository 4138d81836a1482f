import { createHmac, createSecretKey } from 'node:crypto';
import type { Container, JSONObject } from '@azure/cosmos';
import { Client, type Dispatcher } from 'undici';
import { EMULATOR_KEY } from '#gateway/emulator/http/authenticate.ts';

/** Two requests of one kind of client. Each rejects unless it is answered 200. */
export interface Requests {
  readonly read: (n: number) => Promise<void>;
  readonly batch: (n: number) => Promise<void>;
}

/** Enough of them that none meets its budget. */
export const PARTITIONS = 400;
const OPERATIONS = 3;

const partitionOf = (n: number): string => `bench|Note|${n % PARTITIONS}`;

export const newItem = (id: string, n: number): JSONObject => ({ id, pk: partitionOf(n), text: 'x'.repeat(900) });

/** Counts over all rounds, so that every create is of an item that is not there. */
let created = 0;

const operationsOf = (n: number) =>
  Array.from({ length: OPERATIONS }, () => {
    created += 1;
    const resourceBody = { id: `e~${created}`, pk: partitionOf(n), s: `follows~${created}`, data: 'y'.repeat(200) };
    return { operationType: 'Create' as const, resourceBody };
  });

export function sdkRequests(container: Container): Requests {
  return {
    async read(n) {
      const { statusCode } = await container.item('o', partitionOf(n)).read();
      if (statusCode !== 200) throw new Error(`A read was answered ${statusCode}.`);
    },
    async batch(n) {
      const { code } = await container.items.batch(operationsOf(n), partitionOf(n));
      if (code !== 200) throw new Error(`A batch was answered ${code}.`);
    },
  };
}

const ITEMS = 'dbs/bench/colls/items';

/** The same requests as bytes, signed by hand: what is left of the client's cost when there is no SDK. */
export function rawRequests(url: string, inFlight: number): { requests: Requests; close(): Promise<void> } {
  const clients = Array.from({ length: inFlight }, () => new Client(url));
  const free = [...clients];
  const key = createSecretKey(Buffer.from(EMULATOR_KEY, 'base64'));
  const signed = (method: string, link: string): Record<string, string> => {
    const date = new Date().toUTCString();
    const text = `${method.toLowerCase()}\ndocs\n${link}\n${date.toLowerCase()}\n\n`;
    const sig = createHmac('sha256', key).update(text).digest('base64');
    return {
      authorization: encodeURIComponent(`type=master&ver=1.0&sig=${sig}`),
      'x-ms-date': date,
      'x-ms-version': '2020-07-15',
    };
  };
  async function send(options: Dispatcher.RequestOptions): Promise<void> {
    const client = free.pop();
    if (client === undefined) throw new Error('More requests are in flight than there are connections.');
    const { statusCode, body } = await client.request(options);
    await body.arrayBuffer();
    free.push(client);
    if (statusCode !== 200) throw new Error(`A request was answered ${statusCode}.`);
  }
  const requests: Requests = {
    read: (n) =>
      send({
        method: 'GET',
        path: `/${ITEMS}/docs/o`,
        headers: { ...signed('GET', `${ITEMS}/docs/o`), ...inPartition(n) },
      }),
    batch: (n) =>
      send({
        method: 'POST',
        path: `/${ITEMS}/docs`,
        headers: { ...signed('POST', ITEMS), ...inPartition(n), ...ATOMIC },
        body: JSON.stringify(operationsOf(n)),
      }),
  };
  return { requests, close: async () => void (await Promise.all(clients.map((client) => client.close()))) };
}

const inPartition = (n: number): Record<string, string> => ({
  'x-ms-documentdb-partitionkey': JSON.stringify([partitionOf(n)]),
});

const ATOMIC = {
  'content-type': 'application/json',
  'x-ms-cosmos-is-batch-request': 'true',
  'x-ms-cosmos-batch-atomic': 'true',
  prefer: 'return=minimal',
};
