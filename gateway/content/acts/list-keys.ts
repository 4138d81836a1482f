import { type KeyFile, readKeyFile, readKeyNumbers, readTenants } from '#gateway/content/keys/key-folder.ts';
import type { TenantName } from '#gateway/contract/ids.ts';

export interface ListedKey {
  readonly keyId: string;
  readonly createdMs: number;
  readonly vaultKey: string | null;
  /** `writes` is what new content is sealed with; `decrypt-only` is on its way to that; `reads` was it once. */
  readonly state: 'reads' | 'writes' | 'decrypt-only';
  readonly writesFromMs: number;
}

export interface ListedTenant {
  readonly tenant: TenantName;
  readonly keys: readonly ListedKey[] | 'destroyed';
}

/** Every tenant with keys, or the one asked for, as the folder has them now. */
export async function listKeys(
  keysDir: string,
  { tenant, nowMs }: { readonly tenant: TenantName | null; readonly nowMs: number },
): Promise<readonly ListedTenant[]> {
  const tenants = tenant === null ? await readTenants(keysDir) : [tenant];
  return Promise.all(tenants.map((one) => listTenant(keysDir, one, nowMs)));
}

async function listTenant(keysDir: string, tenant: TenantName, nowMs: number): Promise<ListedTenant> {
  const numbers = await readKeyNumbers(keysDir, tenant);
  if (numbers === 'destroyed') return { tenant, keys: numbers };
  const files = await Promise.all(
    numbers.map(async (number) => ({
      keyId: `k${number}`,
      ...(await readKeyFile(keysDir, { tenant, keyId: `k${number}` })),
    })),
  );
  const isReady = ({ writesFromMs }: KeyFile) => (writesFromMs ?? 0) <= nowMs;
  const writer = files.findLast(isReady) ?? files[0];
  const keys = files.map((file) => ({
    keyId: file.keyId,
    createdMs: file.createdMs,
    vaultKey: file.vaultKey ?? null,
    state: file === writer ? ('writes' as const) : isReady(file) ? ('reads' as const) : ('decrypt-only' as const),
    writesFromMs: file.writesFromMs ?? file.createdMs,
  }));
  return { tenant, keys };
}
