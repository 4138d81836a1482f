import { type CosmosClient, ErrorResponse } from '@azure/cosmos';
import { CONTAINER_DEFINITION, DATABASE, LEASES_DEFINITION } from './layout/container.ts';

/** Creates the database and the containers when they are missing. Two processes may do so at the same time. */
export async function ensureContainer(client: CosmosClient): Promise<void> {
  await unlessThere(() => client.databases.createIfNotExists({ id: DATABASE }));
  const { containers } = client.database(DATABASE);
  await unlessThere(() => containers.createIfNotExists(CONTAINER_DEFINITION));
  await unlessThere(() => containers.createIfNotExists(LEASES_DEFINITION));
}

/** Whether an endpoint is on this machine: only there may a gateway create containers by itself. */
export function isLocalEndpoint(origin: string): boolean {
  return ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(origin).hostname);
}

async function unlessThere(create: () => Promise<unknown>): Promise<void> {
  try {
    await create();
  } catch (error) {
    if (!(error instanceof ErrorResponse) || error.code !== 409) throw error;
  }
}
