import { join, resolve } from 'node:path';
import type { KeysEnv } from './content/keys/open-wrapping.ts';
import { EnvError, type EnvSource } from './env-source.ts';

/** Reads HABITAT_KEYS_DIR (else `keys` in HABITAT_HOME) and HABITAT_KEY_VAULT. Throws `EnvError`. */
export function readKeysEnv(source: EnvSource): KeysEnv {
  const keysDir = resolve(source.HABITAT_KEYS_DIR ?? join(source.HABITAT_HOME ?? '.habitat', 'keys'));
  return { keysDir, keyVault: readVault(source.HABITAT_KEY_VAULT?.trim() ?? '') };
}

function readVault(text: string): string | null {
  if (text === '') return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol === 'https:' && url.pathname === '/' && url.search === '') return url.origin;
  throw new EnvError(`HABITAT_KEY_VAULT is "${text}"; it is the https address of a vault, without a path.`);
}
