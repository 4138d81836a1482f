import type { CosmosClientOptions } from '@azure/cosmos';
import type { AttemptScopes } from '#gateway/store/http/attempt-scope.ts';
import { type SignRead, signByKey, signByToken } from '#gateway/store/points/sign-read.ts';
import { createEntraTokens } from './entra-tokens.ts';
import { createFetchEntraToken } from './fetch-entra-token.ts';

/** How the gateway proves to Cosmos DB who it is; plain data, so that threads can be given it. */
export type StoreCredential =
  /** An account key, base64. */
  | { readonly kind: 'key'; readonly key: string }
  /** Tokens of Entra ID for the identity that the environment names: managed identity, workload identity, a client secret. */
  | { readonly kind: 'entra' };

/** One per account, shared by its regions. */
export interface Signing {
  /** The SDK's options that sign its requests. */
  readonly sdk: Pick<CosmosClientOptions, 'key' | 'tokenProvider'>;
  /** Signs what leaves without the SDK. */
  readonly read: SignRead;
}

/**
 * Signing for an account. `endpoint` is the account's own endpoint, not a region's: the audience of a token is the
 * account. The SDK's `aadCredentials` is not used: it caches tokens per client, leaves a failed refresh as an unhandled
 * rejection (the end of the process), sends no date, and asks for a region's name as audience.
 */
export function openSigning(
  credential: StoreCredential,
  parts: { readonly endpoint: string; readonly now: () => number; readonly scopes: AttemptScopes },
): Signing {
  switch (credential.kind) {
    case 'key':
      return { sdk: { key: credential.key }, read: signByKey(credential.key) };
    case 'entra': {
      const { endpoint, now, scopes } = parts;
      const tokens = createEntraTokens({ fetch: createFetchEntraToken(endpoint), now });
      return {
        sdk: { tokenProvider: () => tokens.authorization(scopes.getStore()?.signal) },
        read: signByToken(tokens.authorization),
      };
    }
    default:
      return credential satisfies never;
  }
}
