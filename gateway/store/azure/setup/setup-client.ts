import { CosmosClient } from '@azure/cosmos';
import { openSigning, type StoreCredential } from '#gateway/store/azure/credential.ts';
import { createAttemptScopes } from '#gateway/store/http/attempt-scope.ts';
import { createFreeList } from '#gateway/store/http/free-list.ts';
import { createHttpClient } from '#gateway/store/http/http-client.ts';

export interface SetupClient {
  readonly client: CosmosClient;
  close(): Promise<void>;
}

/** A client of the account itself, which sends changes where writes go; over the gateway's own connections. */
export function openSetupClient(endpoint: string, credential: StoreCredential): SetupClient {
  const scopes = createAttemptScopes();
  const now = Date.now;
  const list = createFreeList({ origin: new URL(endpoint).origin, maxConnections: 2, now, random: Math.random });
  const client = new CosmosClient({
    endpoint,
    ...openSigning(credential, { endpoint, now, scopes }).sdk,
    httpClient: createHttpClient(list, scopes),
    connectionPolicy: {
      enableEndpointDiscovery: false,
      enableBackgroundEndpointRefreshing: false,
      requestTimeout: 30_000,
    },
  });
  return {
    client,
    async close() {
      client.dispose();
      await list.close();
    },
  };
}
