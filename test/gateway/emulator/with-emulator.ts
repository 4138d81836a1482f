import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ConnectionPolicy, type Container, CosmosClient, type PartitionKeyDefinition } from '@azure/cosmos';
import type { EmulatorOptions } from '#gateway/emulator/options.ts';
import { type RunningEmulator, startEmulator } from '#gateway/emulator/start.ts';

/** Starts at the wall clock, because clients sign with it; tests move it by hand. */
export interface TestClock {
  offsetMs: number;
}

export interface TestEmulator {
  readonly emulator: RunningEmulator;
  readonly dir: string;
  readonly clock: TestClock;
  readonly client: CosmosClient;
  /** A new container, laid out as the gateway lays out its own unless told otherwise. */
  container(id: string, options?: ContainerOptions): Promise<Container>;
  close(): Promise<void>;
}

export interface ContainerOptions {
  readonly partitionKey?: PartitionKeyDefinition;
  readonly indexEverything?: boolean;
  readonly defaultTtl?: number;
}

export async function startTestEmulator(options: Partial<EmulatorOptions> = {}): Promise<TestEmulator> {
  const dir = options.dir ?? newFolder();
  const clock: TestClock = { offsetMs: 0 };
  const emulator = await startEmulator({
    dir,
    nowMs: () => Date.now() + clock.offsetMs,
    // Only the tests of the budget want to meet it.
    partitionRuPerSecond: null,
    ...options,
  });
  const client = clientOf(emulator.url, emulator.key);
  const { database } = await client.databases.createIfNotExists({ id: 'test' });
  return {
    emulator,
    dir,
    clock,
    client,
    async container(id, { partitionKey, indexEverything, defaultTtl } = {}) {
      const simple = { includedPaths: [{ path: '/s/?' }], excludedPaths: [{ path: '/*' }] };
      const { container } = await database.containers.createIfNotExists({
        id,
        partitionKey: partitionKey ?? { paths: ['/pk'], version: 2 },
        defaultTtl: defaultTtl ?? -1,
        ...(indexEverything === true ? {} : { indexingPolicy: simple }),
      });
      return container;
    },
    async close() {
      client.dispose();
      await emulator.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** A client that never retries by itself, so that a test sees what the endpoint said. */
export function clientOf(endpoint: string, key: string, policy: ConnectionPolicy = {}): CosmosClient {
  return new CosmosClient({
    endpoint,
    key,
    connectionPolicy: {
      ...policy,
      retryOptions: { maxRetryAttemptCount: 0, fixedRetryIntervalInMilliseconds: 0, maxWaitTimeInSeconds: 0 },
    },
  });
}

export const newFolder = (): string => mkdtempSync(join(tmpdir(), 'habitat-cosmos-'));

/** Status of the refusal that a call met; fails when it was not refused. */
export async function refusal(
  call: Promise<unknown>,
): Promise<{ code: number; substatus: number | undefined; message: string }> {
  try {
    await call;
  } catch (error) {
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
    const { code, substatus, message } = cause as { code: number; substatus?: number; message: string };
    return { code, substatus, message };
  }
  throw new Error('the call was not refused');
}
