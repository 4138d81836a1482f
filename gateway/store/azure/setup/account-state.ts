import type { Container, ContainerDefinition, CosmosClient } from '@azure/cosmos';
import { DATABASE } from '#gateway/store/layout/container.ts';

/** A container as it is; its throughput is null where it has none of its own (serverless, shared, or not readable). */
export interface ContainerState {
  readonly definition: ContainerDefinition;
  readonly throughput: Throughput | null;
}

export interface Throughput {
  readonly offerId: string;
  /** Request units a second: fixed, or the most that autoscale goes to. */
  readonly kind: 'manual' | 'autoscale';
  readonly ruPerSecond: number;
}

/** What is there of an account, as far as the setup looks at it. */
export interface AccountState {
  readonly consistency: string;
  readonly writeRegions: readonly string[];
  readonly readRegions: readonly string[];
  readonly multipleWrites: boolean;
  readonly hasDatabase: boolean;
  /** By id; null for one that is missing. */
  readonly containers: ReadonlyMap<string, ContainerState | null>;
}

/** Reads the account and the containers with these ids. */
export async function readAccountState(client: CosmosClient, ids: readonly string[]): Promise<AccountState> {
  const { resource: account } = await client.getDatabaseAccount();
  if (account === undefined) throw new Error('The account document is empty.');
  const hasDatabase = await isThere(() => client.database(DATABASE).read());
  const containers = new Map<string, ContainerState | null>();
  for (const id of ids) containers.set(id, hasDatabase ? await readContainer(client, id) : null);
  return {
    consistency: String(account.consistencyPolicy),
    writeRegions: account.writableLocations.map(({ name }) => name),
    readRegions: account.readableLocations.map(({ name }) => name),
    multipleWrites: account.enableMultipleWritableLocations,
    hasDatabase,
    containers,
  };
}

async function isThere(read: () => Promise<unknown>): Promise<boolean> {
  try {
    await read();
    return true;
  } catch (error) {
    if (statusOf(error) === 404) return false;
    throw error;
  }
}

async function readContainer(client: CosmosClient, id: string): Promise<ContainerState | null> {
  const container = client.database(DATABASE).container(id);
  try {
    const { resource } = await container.read();
    if (resource === undefined) return null;
    return { definition: resource, throughput: await readThroughput(container) };
  } catch (error) {
    if (statusOf(error) === 404) return null;
    throw error;
  }
}

async function readThroughput(container: Container): Promise<Throughput | null> {
  try {
    const { resource: offer } = await container.readOffer();
    if (offer?.id === undefined || offer.content === undefined) return null;
    const { offerThroughput, offerAutopilotSettings: autoscale } = offer.content;
    if (autoscale === undefined) return { offerId: offer.id, kind: 'manual', ruPerSecond: offerThroughput };
    return { offerId: offer.id, kind: 'autoscale', ruPerSecond: autoscale.maxThroughput };
  } catch (error) {
    // A serverless account has no throughput to read (400), and a token of Entra ID may not (403).
    const status = statusOf(error);
    if (status === 400 || status === 403) return null;
    throw error;
  }
}

/** HTTP status of a refusal by the service; null for every other error. */
export function statusOf(error: unknown): number | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'number' ? error.code : null;
}

/** Sub-status of a refusal by the service; 0 for none. */
export function subStatusOf(error: unknown): number {
  return error instanceof Error && 'substatus' in error && typeof error.substatus === 'number' ? error.substatus : 0;
}
