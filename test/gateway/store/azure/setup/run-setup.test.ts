import type { ContainerDefinition } from '@azure/cosmos';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createContent } from '#gateway/content/create-content.ts';
import { runSetup, SETUP_EXIT } from '#gateway/store/azure/setup/run-setup.ts';
import { openSetupClient } from '#gateway/store/azure/setup/setup-client.ts';
import { createStore } from '#gateway/store/create-store.ts';
import { startTestEmulator, type TestEmulator } from '#test/gateway/emulator/with-emulator.ts';
import { type RawRequest, replyOf, startRawServer } from '#test/gateway/store/http/raw-server.ts';

let test: TestEmulator;
beforeAll(async () => {
  test = await startTestEmulator();
});
afterEach(async () => {
  const database = test.client.database('habitat');
  await database.delete().catch(() => undefined);
});
afterAll(() => test.close());

interface Target {
  readonly endpoint?: string;
  readonly key?: string;
  readonly apply?: boolean;
  readonly maxRu?: number;
}

/** Runs the setup; resolves with its exit code and all that it said. */
async function setup({ endpoint, key, apply = false, maxRu }: Target = {}) {
  const credential = { kind: 'key', key: key ?? test.emulator.key } as const;
  const { client, close } = openSetupClient(endpoint ?? test.emulator.url, credential);
  const lines: string[] = [];
  const code = await runSetup(client, { apply, maxRu: maxRu ?? null, say: (line) => void lines.push(line) });
  await close();
  return { code, text: lines.join('\n') };
}

async function definitionOf(id: string): Promise<ContainerDefinition | undefined> {
  return (await test.client.database('habitat').container(id).read()).resource;
}

async function makeMain(definition: Omit<ContainerDefinition, 'id'>) {
  const { database } = await test.client.databases.createIfNotExists({ id: 'habitat' });
  return (await database.containers.create({ id: 'main', ...definition })).container;
}

const PLAIN = '; throughput: as the account gives it (400 RU/s, or serverless)';
const RIGHT_KEY = { paths: ['/pk'], version: 2 };

describe('on an empty account', () => {
  it('it says what it would do and does nothing, then does it, then has nothing to do', async () => {
    const asked = await setup();
    expect(asked.code).toBe(SETUP_EXIT.different);
    expect(asked.text.split('\n')).toEqual([
      expect.stringContaining('Consistency is BoundedStaleness, as expected'),
      'It would:',
      '  create database habitat',
      '  create container main: partition key /pk (version 2); expiry: on, item by item; index: /s/? without /*' +
        PLAIN,
      '  create container leases: partition key /pk (version 2); expiry: on, item by item; index: nothing without /*' +
        PLAIN,
      'Nothing was changed. Run it again with --yes.',
    ]);
    await expect(definitionOf('main')).rejects.toMatchObject({ code: 404 });

    const done = await setup({ apply: true, maxRu: 4_000 });
    expect(done.code).toBe(SETUP_EXIT.done);
    expect(done.text).toMatch(
      /Changes:\n.*create database habitat\n.*; throughput: autoscale up to 4000 RU\/s\n.* leases: .* up to 1000 RU\/s\nDone\.$/s,
    );
    expect(await definitionOf('main')).toMatchObject({ partitionKey: RIGHT_KEY, defaultTtl: -1 });
    expect(await definitionOf('leases')).toMatchObject({ partitionKey: RIGHT_KEY, defaultTtl: -1 });

    for (const apply of [false, true]) {
      expect(await setup({ apply })).toEqual({ code: 0, text: expect.stringMatching(/Nothing to change\.$/) });
    }
  });

  it('it makes the containers as the gateway itself makes them on a local endpoint', async () => {
    const content = createContent({ keysDir: test.dir, now: Date.now });
    const credential = { kind: 'key', key: test.emulator.key } as const;
    const store = createStore({ endpoint: test.emulator.url, credential, content, clock: { now: Date.now } });
    expect((await store.probe()).reachable).toBe(true);
    await store.close();
    expect((await setup()).text).toMatch(/Nothing to change\.$/);
  });
});

describe('on containers that differ', () => {
  it('it puts expiry and index right, and keeps what is stored', async () => {
    const container = await makeMain({ partitionKey: RIGHT_KEY, defaultTtl: 3_600 });
    await container.items.create({ id: 'i', pk: 'p', s: 'x' });
    const asked = await setup();
    expect(asked.code).toBe(SETUP_EXIT.different);
    expect(asked.text).toContain(
      '  change container main: expiry: every item after 3600 s → on, item by item; ' +
        'index: /* without exception → /s/? without /*\n',
    );
    expect(await definitionOf('main')).toMatchObject({ defaultTtl: 3_600 });
    expect(await setup({ apply: true })).toEqual({ code: 0, text: expect.stringMatching(/Done\.$/) });
    const indexingPolicy = { includedPaths: [{ path: '/s/?' }] };
    expect(await definitionOf('main')).toMatchObject({ defaultTtl: -1, indexingPolicy });
    expect((await container.item('i', 'p').read()).resource).toMatchObject({ s: 'x' });
    expect((await setup()).code).toBe(SETUP_EXIT.done);
  });

  it('it refuses another partition key, says what to do, and touches nothing', async () => {
    await makeMain({ partitionKey: { paths: ['/id'], version: 2 }, defaultTtl: 60 });
    const run = await setup({ apply: true });
    expect(run.code).toBe(SETUP_EXIT.impossible);
    expect(run.text).toContain('its partition key is /id (version 2), not /pk (version 2)');
    expect(run.text).toMatch(/copy what it holds, delete it, and run this again\.\nNothing was changed\.$/);
    expect(await definitionOf('main')).toMatchObject({ defaultTtl: 60 });
    await expect(definitionOf('leases')).rejects.toMatchObject({ code: 404 });
  });
});

describe('where it cannot', () => {
  it('reach the account it says why', async () => {
    const run = await setup({ endpoint: 'http://127.0.0.1:1' });
    expect(run.code).toBe(SETUP_EXIT.unreachable);
    expect(run.text).toBe('The account cannot be reached: Nothing listens on 127.0.0.1:1. (ECONNREFUSED)');
  });

  it('sign it says so, without the key', async () => {
    const key = Buffer.alloc(64, 1).toString('base64');
    const run = await setup({ key });
    expect(run.code).toBe(SETUP_EXIT.impossible);
    expect(run.text).toMatch(/^Cosmos DB refused with 401: /);
    expect(run.text).not.toContain(key);
  });

  it('make containers with this identity it gives the commands of somebody who can', async () => {
    const server = await startRawServer((request) => answerAsReader(request));
    const run = await setup({ endpoint: server.origin, apply: true });
    expect(run.code).toBe(SETUP_EXIT.impossible);
    expect(run.text).toContain('Cosmos DB refused with 403/5300: The given request [POST /dbs]');
    expect(run.text).toMatch(/az cosmosdb sql container create .* --name leases --partition-key-path \/pk /);
  });

  it('write, because a region was named, it says which setting to change', async () => {
    const refusal = { status: 403, subStatus: 3, message: 'Not here.' };
    const server = await startRawServer((request) => answerAsReader(request, refusal));
    const run = await setup({ endpoint: server.origin, apply: true });
    expect(run).toEqual({ code: 3, text: expect.stringContaining('COSMOS_ENDPOINT names a region') });
  });

  it('work with several write regions it refuses before any change', async () => {
    const server = await startRawServer((request) =>
      answerAsReader(request, undefined, { enableMultipleWriteLocations: true }),
    );
    const run = await setup({ endpoint: server.origin, apply: true });
    expect(run.code).toBe(SETUP_EXIT.impossible);
    expect(run.text).toContain('--enable-multiple-write-locations false');
    expect(server.requests.filter(({ head }) => !head.startsWith('GET '))).toEqual([]);
  });
});

describe('throughput', () => {
  it('of a container that scales is raised to the wish, and that of the leases left at the least', async () => {
    const offers = new Map(
      ['main', 'leases'].map((id) => [id, { id: `o-${id}`, _self: `offers/o-${id}/`, content: scales(1_000) }]),
    );
    const server = await startRawServer(({ head, body }) => {
      if (/^GET \/ /.test(head)) return replyOf(200, JSON.stringify(ACCOUNT));
      const offer = /^\w+ \/offers\/o-(\w+)/.exec(head)?.[1];
      if (offer !== undefined && head.startsWith('PUT ')) offers.set(offer, JSON.parse(body));
      if (offer !== undefined) return replyOf(200, JSON.stringify(offers.get(offer)));
      // A query by the address of the container.
      const about = /colls\/(\w+)/.exec(body)?.[1] ?? '';
      if (/^POST \/offers/.test(head)) return replyOf(200, JSON.stringify({ Offers: [offers.get(about)], _count: 1 }));
      const id = /\/colls\/(\w+)/.exec(head)?.[1];
      return replyOf(200, JSON.stringify(id === undefined ? { id: 'habitat' } : asMade(id)));
    });
    const asked = await setup({ endpoint: server.origin, maxRu: 4_000 });
    expect(asked.text).toContain('It would:\n  scale container main: up to 1000 → 4000 RU/s\nNothing');
    expect(offers.get('main')).toMatchObject({ content: scales(1_000) });
    expect((await setup({ endpoint: server.origin, maxRu: 4_000, apply: true })).code).toBe(SETUP_EXIT.done);
    expect(offers.get('main')).toMatchObject({ id: 'o-main', content: scales(4_000) });
    expect(offers.get('leases')).toMatchObject({ content: scales(1_000) });
    expect((await setup({ endpoint: server.origin, maxRu: 4_000 })).text).toMatch(/Nothing to change\.$/);
  });
});

const scales = (maxThroughput: number) => ({ offerThroughput: 400, offerAutopilotSettings: { maxThroughput } });

/** A container as the service gives it back. */
function asMade(id: string) {
  const includedPaths = id === 'main' ? [{ path: '/s/?' }] : [];
  const excludedPaths = [{ path: '/*' }, { path: '/"_etag"/?' }];
  const indexingPolicy = { indexingMode: 'consistent', automatic: true, includedPaths, excludedPaths };
  return {
    id,
    _rid: id,
    _self: `dbs/d/colls/${id}/`,
    partitionKey: { ...RIGHT_KEY, kind: 'Hash' },
    defaultTtl: -1,
    indexingPolicy,
  };
}

const location = { name: 'West Europe', databaseAccountEndpoint: 'http://127.0.0.1/' };
const ACCOUNT = {
  ...{ id: 'shop', writableLocations: [location], readableLocations: [location] },
  userConsistencyPolicy: { defaultConsistencyLevel: 'BoundedStaleness' },
};
const NOT_BY_TOKEN = {
  ...{ status: 403, subStatus: 5300 },
  message: 'The given request [POST /dbs] cannot be authorized by AAD token in data plane.',
};

/** An empty account that may be read and not changed. */
function answerAsReader({ head }: RawRequest, refusal = NOT_BY_TOKEN, account: object = {}): string {
  if (/^GET \/ /.test(head)) return replyOf(200, JSON.stringify({ ...ACCOUNT, ...account }));
  if (/^GET /.test(head)) return replyOf(404, '{"code":"NotFound","message":"none"}');
  const { status, subStatus, message } = refusal;
  return replyOf(status, JSON.stringify({ message }), { 'x-ms-substatus': String(subStatus) });
}
