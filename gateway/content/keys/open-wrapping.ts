import type { KeyWrapping } from './key-wrapping.ts';
import { createMasterWrapping } from './master-key.ts';
import { createVaultWrapping } from './vault-wrapping.ts';

/** Where data keys lie and what wraps them, as the environment says; plain data. */
export interface KeysEnv {
  readonly keysDir: string;
  /** URL of the Azure Key Vault; null for the master key of the folder. */
  readonly keyVault: string | null;
}

/** What wraps data keys from now on. A folder may hold keys of both kinds: each says what opens it. */
export function openWrapping({ keysDir, keyVault }: KeysEnv, now: () => number): KeyWrapping {
  const master = createMasterWrapping(keysDir);
  return keyVault === null ? master : createVaultWrapping({ vaultUrl: keyVault, now, before: master });
}
