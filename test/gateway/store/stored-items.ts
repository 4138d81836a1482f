import { type Container, CosmosClient } from '@azure/cosmos';
import { z } from 'zod';
import type { RunningEmulator } from '#gateway/emulator/start.ts';
import type { ObjectKey } from '#gateway/pipeline/store-port.ts';

const Stored = z.looseObject({ id: z.string() });
export type Stored = z.infer<typeof Stored>;

/** The gateway's container, by the unmodified SDK. */
export function containerOf(emulator: RunningEmulator): Container {
  const client = new CosmosClient({ endpoint: emulator.url, key: emulator.key });
  return client.database('habitat').container('main');
}

export function partitionOf(key: ObjectKey): string {
  return `${key.tenant}|${key.type}|${key.id}`;
}

/** Every item of a partition as it is stored. */
export async function itemsOf(emulator: RunningEmulator, key: ObjectKey): Promise<Stored[]> {
  const query = containerOf(emulator).items.query<unknown>('SELECT * FROM c', { partitionKey: partitionOf(key) });
  return (await query.fetchAll()).resources.map((item) => Stored.parse(item));
}
