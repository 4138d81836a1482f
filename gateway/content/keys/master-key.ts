import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lengthPrefixed } from '#gateway/content/additional-data.ts';
import { IV_BYTES } from '#gateway/content/random-ivs.ts';
import { type KeyAddress, KeyProblem, type KeyWrapping } from './key-wrapping.ts';
import { isCode, writeOnce } from './write-once.ts';

const KEY_BYTES = 32;
const TAG_BYTES = 16;

/**
 * Data keys wrapped by `<keysDir>/master` with AES-256-GCM, each bound to its tenant and id. Whoever has the folder has
 * every key in it: its safety is that of the folder.
 */
export function createMasterWrapping(keysDir: string): KeyWrapping {
  return {
    async wrap(address, dataKey) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', await readMasterKey(keysDir), iv).setAAD(boundTo(address));
      const sealed = [iv, cipher.update(dataKey), cipher.final(), cipher.getAuthTag()];
      return { wrapped: Buffer.concat(sealed).toString('base64') };
    },
    async unwrap(address, { wrapped, vaultKey }) {
      if (vaultKey !== undefined) {
        throw new KeyProblem(`${nameOf(address)} is wrapped by ${vaultKey}, but HABITAT_KEY_VAULT is not set.`);
      }
      const plain = decrypt(await readMasterKey(keysDir), Buffer.from(wrapped, 'base64'), boundTo(address));
      if (plain === null) throw new KeyProblem(`The master key in ${keysDir} does not open ${nameOf(address)}.`);
      return plain;
    },
    // The master key is everybody's.
    destroy: async () => null,
  };
}

function nameOf({ tenant, keyId }: KeyAddress): string {
  return `${keyId} of tenant ${tenant}`;
}

function boundTo({ tenant, keyId }: KeyAddress): Buffer {
  return lengthPrefixed(['habitat data key 1', tenant, keyId]);
}

function decrypt(master: KeyObject, bytes: Buffer, bound: Buffer): Buffer | null {
  if (bytes.length !== IV_BYTES + KEY_BYTES + TAG_BYTES) return null;
  const decipher = createDecipheriv('aes-256-gcm', master, bytes.subarray(0, IV_BYTES)).setAAD(bound);
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]);
  } catch {
    return null;
  }
}

/**
 * Reads the master key of a keys folder, making it (32 random bytes, base64, mode 0600) when the folder is new. Never
 * replaces one that is lost while tenants have keys, since a new one could not open those.
 */
async function readMasterKey(keysDir: string): Promise<KeyObject> {
  const path = join(keysDir, 'master');
  const found = await readKey(path);
  if (found !== null) return found;
  if (await hasTenants(keysDir)) throw new KeyProblem(`The master key ${path} is missing, and tenants have keys.`);
  await writeOnce(path, `${randomBytes(KEY_BYTES).toString('base64')}\n`);
  const made = await readKey(path);
  if (made === null) throw new KeyProblem(`The master key ${path} vanished.`);
  return made;
}

async function readKey(path: string): Promise<KeyObject | null> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (isCode(error, 'ENOENT')) return null;
    throw new KeyProblem(`The master key ${path} cannot be read.`, { cause: error });
  }
  const bytes = Buffer.from(text.trim(), 'base64');
  if (bytes.length !== KEY_BYTES) throw new KeyProblem(`The master key ${path} is not 32 bytes in base64.`);
  return createSecretKey(bytes);
}

async function hasTenants(keysDir: string): Promise<boolean> {
  try {
    const entries = await readdir(keysDir, { withFileTypes: true });
    return entries.some((entry) => entry.isDirectory());
  } catch (error) {
    if (isCode(error, 'ENOENT')) return false;
    throw error;
  }
}
