import type { Container, CosmosClient } from '@azure/cosmos';
import type { EmulatorOptions } from '#gateway/emulator/options.ts';
import { inPartition, type RawReply, type RawRequest, send } from './raw-request.ts';
import { clientOf, startTestEmulator, type TestEmulator } from './with-emulator.ts';

/** One account with two regions, East taking the writes, and one container. */
export interface TwoRegions extends TestEmulator {
  readonly east: Place;
  readonly west: Place;
}

export interface Place {
  readonly url: string;
  readonly client: CosmosClient;
  readonly container: Container;
  /** A request about the items of the container, past the SDK. */
  raw(item: string, partition: string, options?: Partial<RawRequest>): Promise<RawReply>;
}

export const ACCOUNT = 'habitat-local';

export async function startTwoRegions(options: Partial<EmulatorOptions> = {}): Promise<TwoRegions> {
  const regions = [
    { name: 'East', port: 0 },
    { name: 'West', port: 0 },
  ];
  const test = await startTestEmulator({ accounts: [{ name: ACCOUNT, regions }], ...options });
  await test.container('c');
  const [east, west] = test.emulator.accounts[0]?.regions.map(({ url }) => placeAt(url, test.emulator.key)) ?? [];
  if (east === undefined || west === undefined) throw new Error('there are no two regions');
  return {
    ...test,
    east,
    west,
    async close() {
      east.client.dispose();
      west.client.dispose();
      await test.close();
    },
  };
}

/** Its client stays at this region, whatever the account document says. */
export function placeAt(url: string, key: string): Place {
  const client = clientOf(url, key, { enableEndpointDiscovery: false });
  const path = 'dbs/test/colls/c/docs';
  return {
    url,
    client,
    container: client.database('test').container('c'),
    raw: (item, partition, options) =>
      send({
        url,
        key,
        path: item === '' ? path : `${path}/${item}`,
        ...options,
        headers: { ...inPartition(partition), ...options?.headers },
      }),
  };
}
