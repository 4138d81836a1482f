import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { TenantName } from '#gateway/contract/ids.ts';
import { type KeyAddress, KeyProblem, type KeyWrapping } from './key-wrapping.ts';
import { isCode, writeOnce } from './write-once.ts';

/** From when it is made, a new key only decrypts for so long: every gateway has seen it before anyone writes with it. */
export const DECRYPT_ONLY_MS = 60_000;

/** A data key as it lies in its file. Files are written once and never change. */
export const KeyFile = z.strictObject({
  format: z.literal(1),
  createdMs: z.int(),
  /** Before this the key only decrypts. The first key of a tenant writes at once: nobody waits for it. */
  writesFromMs: z.int().optional(),
  wrapped: z.base64(),
  vaultKey: z.url().optional(),
});
export type KeyFile = z.infer<typeof KeyFile>;

/** Where data keys lie, and what opens them. */
export interface KeyPlace {
  readonly keysDir: string;
  readonly wrapping: KeyWrapping;
}

/** The keys of a tenant: numbers ascending, none when there are none, `destroyed` once they were destroyed. */
export type KeyNumbers = readonly number[] | 'destroyed';

/** Present in a tenant's folder once its keys were destroyed: nothing is readable or writable there again. */
export const DESTROYED = 'destroyed';
const KEY_FILE = /^k([1-9]\d{0,8})\.json$/;

/** Whether a text can be the id of a data key at all. */
export function isKeyId(text: string): boolean {
  return KEY_FILE.test(`${text}.json`);
}

/** Every folder is `<keysDir>/<tenant>`, every key `k<n>.json` in it. */
export async function readKeyNumbers(keysDir: string, tenant: TenantName): Promise<KeyNumbers> {
  let names: readonly string[];
  try {
    names = await readdir(join(keysDir, tenant));
  } catch (error) {
    if (isCode(error, 'ENOENT')) return [];
    throw new KeyProblem(`The keys folder ${join(keysDir, tenant)} cannot be read.`, { cause: error });
  }
  if (names.includes(DESTROYED)) return 'destroyed';
  const numbers = names.map((name) => Number(KEY_FILE.exec(name)?.[1] ?? 0));
  return numbers.filter((number) => number > 0).sort((a, b) => a - b);
}

export async function readTenants(keysDir: string): Promise<readonly TenantName[]> {
  try {
    const entries = await readdir(keysDir, { withFileTypes: true });
    const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => TenantName.safeParse(name));
    return folders.flatMap(({ data }) => (data === undefined ? [] : [data])).sort();
  } catch (error) {
    if (isCode(error, 'ENOENT')) return [];
    throw new KeyProblem(`The keys folder ${keysDir} cannot be read.`, { cause: error });
  }
}

/** Rejects with `KeyProblem` when the file is missing, unreadable or no key file. */
export async function readKeyFile(keysDir: string, { tenant, keyId }: KeyAddress): Promise<KeyFile> {
  if (!isKeyId(keyId)) throw new KeyProblem(`Tenant ${tenant} has no key of that name.`);
  const path = join(keysDir, tenant, `${keyId}.json`);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (isCode(error, 'ENOENT')) throw new KeyProblem(`Tenant ${tenant} has no key ${keyId}.`);
    throw new KeyProblem(`The key file ${path} cannot be read.`, { cause: error });
  }
  const file = KeyFile.safeParse(jsonOf(text));
  if (!file.success) throw new KeyProblem(`The key file ${path} is no key file that this version knows.`);
  return file.data;
}

/**
 * Makes a data key and puts it in place; when another process was first, its file stays and this key is thrown away.
 * Never makes one for a tenant whose keys were destroyed.
 */
export async function addKey(
  { keysDir, wrapping }: KeyPlace,
  { tenant, keyId }: KeyAddress,
  times: Pick<KeyFile, 'createdMs' | 'writesFromMs'>,
): Promise<void> {
  const { wrapped, vaultKey } = await wrapping.wrap({ tenant, keyId }, randomBytes(32));
  if ((await readKeyNumbers(keysDir, tenant)) === 'destroyed') throw destroyed(tenant);
  const file: KeyFile = { format: 1, ...times, wrapped, ...(vaultKey === undefined ? {} : { vaultKey }) };
  try {
    await writeOnce(join(keysDir, tenant, `${keyId}.json`), `${JSON.stringify(file)}\n`);
  } catch (error) {
    throw new KeyProblem(`The keys folder ${keysDir} cannot be written.`, { cause: error });
  }
}

export function destroyed(tenant: TenantName): KeyProblem {
  return new KeyProblem(`The data keys of tenant ${tenant} were destroyed.`);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
