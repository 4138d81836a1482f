import type { TokenCredential } from '@azure/identity';
import type { CryptographyClient, KeyClient, KeyClientOptions } from '@azure/keyvault-keys';
import type { TenantName } from '#gateway/contract/ids.ts';
import { type KeyAddress, KeyProblem, type KeyWrapping } from './key-wrapping.ts';

const ALGORITHM = 'RSA-OAEP-256';
const DATA_KEY_BYTES = 32;
/** A call that failed is not made again sooner: requests that need a key must not become a storm on the vault. */
const PAUSE_MS = 1_000;
const CALL_TIMEOUT_MS = 10_000;

export interface VaultOptions {
  /** `https://<name>.vault.azure.net`. */
  readonly vaultUrl: string;
  readonly now: () => number;
  /** What opens data keys that were wrapped before the vault was used. */
  readonly before: KeyWrapping;
  /** The identity that the environment names, unless told. */
  readonly credential?: TokenCredential;
  readonly client?: KeyClientOptions;
}

/** Loaded when the first key is needed, since most installations never need it. */
interface Vault {
  readonly keys: KeyClient;
  cryptography(keyId: string): CryptographyClient;
}

/**
 * Data keys wrapped by Azure Key Vault with RSA-OAEP-256: one RSA key a tenant, `habitat-<tenant>`, which never leaves the
 * vault. A data key is wrapped by the newest version and names it, so a version that is replaced still opens what it
 * wrapped. Needs the permissions get, wrapKey and unwrapKey; to destroy, delete.
 */
export function createVaultWrapping(options: VaultOptions): KeyWrapping {
  const { vaultUrl, before } = options;
  const prefixOf = (tenant: TenantName) => `${new URL(vaultUrl).origin}/keys/${nameOf(tenant)}/`;
  let loading: Promise<Vault> | null = null;
  const vault = () => {
    loading ??= openVault(options);
    return loading;
  };
  const call = createCalls(options.now);
  return {
    wrap: ({ tenant }, dataKey) =>
      call(tenant, async (abortSignal) => {
        const { keys, cryptography } = await vault();
        const { id } = await keys.getKey(nameOf(tenant), { abortSignal });
        if (id === undefined) throw new KeyProblem(`Key Vault named no id of ${nameOf(tenant)}.`);
        const { result } = await cryptography(id).wrapKey(ALGORITHM, dataKey, { abortSignal });
        return { wrapped: Buffer.from(result).toString('base64'), vaultKey: id };
      }),
    unwrap: async (address, key) => {
      const { vaultKey } = key;
      if (vaultKey === undefined) return before.unwrap(address, key);
      // The id comes from a file: a token is sent to no other place than the vault, and no other tenant's key is used.
      if (!vaultKey.startsWith(prefixOf(address.tenant))) throw foreign(address, vaultKey);
      return call(address.tenant, async (abortSignal) => {
        const { cryptography } = await vault();
        const wrapped = Buffer.from(key.wrapped, 'base64');
        const { result } = await cryptography(vaultKey).unwrapKey(ALGORITHM, wrapped, { abortSignal });
        if (result.length !== DATA_KEY_BYTES) throw new KeyProblem(`${vaultKey} gave no data key.`);
        return Buffer.from(result);
      });
    },
    destroy: (tenant) =>
      call(tenant, async (abortSignal) => {
        const { keys } = await vault();
        const gone = await deleteKey(keys, nameOf(tenant), abortSignal);
        if (!gone) return `Key Vault has no key ${nameOf(tenant)} any more.`;
        return `Deleted ${nameOf(tenant)} in Key Vault. It can be recovered there until it is purged.`;
      }),
  };
}

/** The name of a tenant's key in the vault. */
function nameOf(tenant: TenantName): string {
  return `habitat-${tenant}`;
}

function foreign({ tenant, keyId }: KeyAddress, vaultKey: string): KeyProblem {
  return new KeyProblem(`${keyId} of tenant ${tenant} is wrapped by ${vaultKey}, which is not its key in this vault.`);
}

async function openVault({ vaultUrl, credential, client }: VaultOptions): Promise<Vault> {
  const [{ KeyClient, CryptographyClient }, { DefaultAzureCredential }] = await Promise.all([
    import('@azure/keyvault-keys'),
    import('@azure/identity'),
  ]);
  const identity = credential ?? new DefaultAzureCredential();
  const options: KeyClientOptions = { retryOptions: { maxRetries: 1, retryDelayInMs: 200 }, ...client };
  const clients = new Map<string, CryptographyClient>();
  return {
    keys: new KeyClient(vaultUrl, identity, options),
    cryptography: (keyId) => {
      const known = clients.get(keyId) ?? new CryptographyClient(keyId, identity, options);
      clients.set(keyId, known);
      return known;
    },
  };
}

/** Whether there was one to delete. Does not wait for the vault to finish: from its answer on the key opens nothing. */
async function deleteKey(keys: KeyClient, name: string, abortSignal: AbortSignal): Promise<boolean> {
  try {
    const poller = await keys.beginDeleteKey(name, { abortSignal });
    poller.stopPolling();
    return true;
  } catch (error) {
    if (statusOf(error) === 404) return false;
    throw error;
  }
}

/** Makes calls for a tenant, each within its time; after one that failed, the same answer for a second. */
function createCalls(now: () => number) {
  const failures = new Map<TenantName, { readonly atMs: number; readonly problem: KeyProblem }>();
  return async <T>(tenant: TenantName, run: (abortSignal: AbortSignal) => Promise<T>): Promise<T> => {
    const failed = failures.get(tenant);
    if (failed !== undefined && now() - failed.atMs < PAUSE_MS) throw failed.problem;
    try {
      const result = await run(AbortSignal.timeout(CALL_TIMEOUT_MS));
      failures.delete(tenant);
      return result;
    } catch (error) {
      const problem = error instanceof KeyProblem ? error : new KeyProblem(sentenceOf(tenant, error), { cause: error });
      failures.set(tenant, { atMs: now(), problem });
      throw problem;
    }
  };
}

function sentenceOf(tenant: TenantName, error: unknown): string {
  const name = nameOf(tenant);
  const said = (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';
  switch (statusOf(error)) {
    case 404:
      return `Key Vault has no key ${name}: make an RSA key of that name, of 2,048 bits or more.`;
    case 401:
    case 403:
      return `Key Vault refuses ${name}: it is disabled, or the gateway lacks get, wrapKey or unwrapKey. It said: ${said}`;
    case 429:
      return `Key Vault throttles the calls for ${name}.`;
    default:
      return `Key Vault gave nothing for ${name}: ${said}`;
  }
}

function statusOf(error: unknown): number | null {
  const isStatus = error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number';
  return isStatus ? Number(error.statusCode) : null;
}
