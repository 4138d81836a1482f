import { CosmosClient } from '@azure/cosmos';
import type { Signing } from '#gateway/store/azure/credential.ts';
import type { HttpClient } from '#gateway/store/http/http-client.ts';
import { CONTAINER, DATABASE } from '#gateway/store/layout/container.ts';

export type ClientOptions = Signing['sdk'] & { readonly endpoint: string; readonly httpClient: HttpClient };

/**
 * The SDK against one endpoint, with everything it does badly switched off: endpoint discovery, its retries and its
 * connections.
 */
export function openClient(options: ClientOptions) {
  const client = new CosmosClient({
    ...options,
    connectionPolicy: {
      enableEndpointDiscovery: false,
      enableBackgroundEndpointRefreshing: false,
      retryOptions: { maxRetryAttemptCount: 0, fixedRetryIntervalInMilliseconds: 0, maxWaitTimeInSeconds: 0 },
    },
  });
  return { client, container: client.database(DATABASE).container(CONTAINER) };
}

/**
 * The account document as this endpoint tells it, unparsed. The SDK drops parts of it, the account's name among them; what
 * came over the wire has it all.
 */
export async function readAccount(options: ClientOptions, signal: AbortSignal): Promise<unknown> {
  let text = '';
  const httpClient: HttpClient = {
    async sendRequest(request) {
      const response = await options.httpClient.sendRequest(request);
      text = response.bodyAsText ?? '';
      return response;
    },
  };
  const { client } = openClient({ ...options, httpClient });
  try {
    await client.getDatabaseAccount({ abortSignal: signal });
    return JSON.parse(text);
  } finally {
    client.dispose();
  }
}
