import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { IV_BYTES } from './random-ivs.ts';
import { isCode, writeOnce } from './write-once.ts';

const KEY_BYTES = 32;
const TAG_BYTES = 16;

/** A data key as it lies in a file: encrypted by the master key, bound to its tenant and id by additional data. */
export const WrappedKey = z.strictObject({
  format: z.literal(1),
  createdMs: z.int(),
  /** base64 of IV, ciphertext and tag. */
  wrapped: z.base64(),
});
export type WrappedKey = z.infer<typeof WrappedKey>;

/**
 * Reads the master key of a keys folder, making it (32 random bytes, base64, mode 0600) when the folder is new.
 * Null when it cannot be had: unreadable, malformed, or missing while tenants already have keys, since a new one could
 * never open those.
 */
export async function readMasterKey(keysDir: string): Promise<KeyObject | null> {
  const path = join(keysDir, 'master');
  const found = await readKey(path);
  if (found !== 'absent') return found;
  if (await hasTenants(keysDir)) return null;
  await writeOnce(path, `${randomBytes(KEY_BYTES).toString('base64')}\n`);
  const made = await readKey(path);
  return made === 'absent' ? null : made;
}

/** Encrypts a data key; `boundTo` names its tenant and id. */
export function wrapKey(master: KeyObject, dataKey: Buffer, boundTo: Buffer): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', master, iv).setAAD(boundTo);
  return Buffer.concat([iv, cipher.update(dataKey), cipher.final(), cipher.getAuthTag()]).toString('base64');
}

/** The data key, or null when the master key, the bytes or what they are bound to do not match. */
export function unwrapKey(master: KeyObject, wrapped: string, boundTo: Buffer): KeyObject | null {
  const bytes = Buffer.from(wrapped, 'base64');
  if (bytes.length !== IV_BYTES + KEY_BYTES + TAG_BYTES) return null;
  const decipher = createDecipheriv('aes-256-gcm', master, bytes.subarray(0, IV_BYTES)).setAAD(boundTo);
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    const plain = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]);
    return createSecretKey(plain);
  } catch {
    return null;
  }
}

async function readKey(path: string): Promise<KeyObject | 'absent' | null> {
  try {
    const bytes = Buffer.from((await readFile(path, 'utf8')).trim(), 'base64');
    return bytes.length === KEY_BYTES ? createSecretKey(bytes) : null;
  } catch (error) {
    return isCode(error, 'ENOENT') ? 'absent' : null;
  }
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
