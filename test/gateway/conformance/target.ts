import { randomBytes } from 'node:crypto';
import {
  type Container,
  CosmosClient,
  type Database,
  type IndexingPolicy,
  type PartitionKeyDefinition,
} from '@azure/cosmos';
import { startTestEmulator } from '#test/gateway/emulator/with-emulator.ts';

/** What the conformance files are run against: the local endpoint, or a real account when one is named. */
export interface Target {
  readonly isLocal: boolean;
  readonly client: CosmosClient;
  readonly database: Database;
  /** A container of its own for the file; laid out as the gateway lays out its own unless told otherwise. */
  container(id: string, options?: ContainerLayout): Promise<Container>;
  /** Lets time pass: the local endpoint's clock is moved, the clock of a real account is waited for. */
  passSeconds(seconds: number): Promise<void>;
  close(): Promise<void>;
}

export interface ContainerLayout {
  readonly partitionKey?: PartitionKeyDefinition;
  readonly indexingPolicy?: IndexingPolicy | 'everything';
  readonly uniqueKeys?: readonly (readonly string[])[];
  readonly defaultTtl?: number;
}

/** As the gateway lays out its containers: one indexed path. */
const ONE_PATH: IndexingPolicy = { includedPaths: [{ path: '/s/?' }], excludedPaths: [{ path: '/*' }] };

/** `COSMOS_ENDPOINT` and `COSMOS_KEY` name a real account; each file then works in a database of its own. */
export async function openTarget(): Promise<Target> {
  const account = realAccount();
  process.stdout.write(`conformance: against ${account?.endpoint ?? 'the local endpoint'}\n`);
  return account === undefined ? openLocal() : openReal(account);
}

/** For what only the local endpoint promises. */
export const isLocalTarget = (): boolean => realAccount() === undefined;

interface RealAccount {
  readonly endpoint: string;
  readonly key: string;
}

function realAccount(): RealAccount | undefined {
  const { COSMOS_ENDPOINT: endpoint, COSMOS_KEY: key } = process.env;
  if (endpoint === undefined || endpoint === '' || key === undefined || key === '') return undefined;
  return { endpoint, key };
}

async function openLocal(): Promise<Target> {
  const test = await startTestEmulator();
  return {
    isLocal: true,
    client: test.client,
    database: test.client.database('test'),
    container: (id, layout) => createContainer(test.client.database('test'), id, layout),
    async passSeconds(seconds) {
      test.clock.offsetMs += seconds * 1_000;
    },
    close: () => test.close(),
  };
}

async function openReal({ endpoint, key }: RealAccount): Promise<Target> {
  const client = new CosmosClient({ endpoint, key });
  const database = await createDatabase(client, `habitat-conformance-${randomBytes(6).toString('hex')}`);
  return {
    isLocal: false,
    client,
    database,
    container: (id, layout) => createContainer(database, id, layout),
    passSeconds: (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1_000)),
    async close() {
      await database.delete();
      client.dispose();
    },
  };
}

/** With throughput that its containers share; a serverless account takes none. */
async function createDatabase(client: CosmosClient, id: string): Promise<Database> {
  try {
    return (await client.databases.create({ id, throughput: SHARED_RU_PER_SECOND })).database;
  } catch (error) {
    if ((error as { code?: number }).code !== 400) throw error;
    return (await client.databases.create({ id })).database;
  }
}

const SHARED_RU_PER_SECOND = 1_000;

async function createContainer(database: Database, id: string, layout: ContainerLayout = {}): Promise<Container> {
  const { partitionKey, indexingPolicy = ONE_PATH, uniqueKeys, defaultTtl = -1 } = layout;
  const { container } = await database.containers.createIfNotExists({
    id,
    partitionKey: partitionKey ?? { paths: ['/pk'], version: 2 },
    defaultTtl,
    ...(indexingPolicy === 'everything' ? {} : { indexingPolicy }),
    ...(uniqueKeys === undefined
      ? {}
      : { uniqueKeyPolicy: { uniqueKeys: uniqueKeys.map((paths) => ({ paths: [...paths] })) } }),
  });
  return container;
}
