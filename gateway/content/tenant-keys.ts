import { type KeyObject, randomBytes } from 'node:crypto';
import { access, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TenantName } from '#gateway/contract/ids.ts';
import { lengthPrefixed } from './additional-data.ts';
import { readMasterKey, unwrapKey, WrappedKey, wrapKey } from './master-key.ts';
import { isCode, writeOnce } from './write-once.ts';

/** A data key is replaced after this age, or after this many uses with random IVs. */
const RETIRE_AFTER_MS = 30 * 24 * 60 * 60 * 1_000;
const RETIRE_AFTER_USES = 2 ** 30;
/** An unwrapped key is used this long before its file is looked at again, so that a destroyed key dies in time. */
const TRUST_FOR_MS = 30_000;
const KEY_FILE = /^k([1-9]\d{0,8})\.json$/;
/** Present in a tenant's folder once its keys were destroyed: nothing is readable or writable there again. */
const DESTROYED = 'destroyed';

export interface DataKey {
  readonly keyId: string;
  readonly key: KeyObject;
}

export interface TenantKeys {
  /** The key to write with, made by the first to need it. Null when keys are destroyed or out of reach. */
  forWriting(tenant: TenantName): Promise<DataKey | null>;
  /** The key of an id as found in a stored item; any version that the folder holds. */
  forReading(tenant: TenantName, keyId: string): Promise<DataKey | null>;
}

interface Held extends DataKey {
  readonly createdMs: number;
  trustedUntilMs: number;
  uses: number;
}

interface KeyOptions {
  readonly keysDir: string;
  readonly now: () => number;
}

/**
 * Data keys of tenants: `<keysDir>/<tenant>/k<n>.json`, wrapped by `<keysDir>/master`. The folder is the truth that
 * workers and gateways share: whoever needs a key first links it in place, everyone else reads that file.
 */
export function createTenantKeys(options: KeyOptions): TenantKeys {
  const { keysDir, now } = options;
  const load = createLoader(options);
  const writing = new Map<TenantName, Held>();
  const finding = new Map<TenantName, Promise<Held | null>>();

  async function newest(tenant: TenantName): Promise<Held | null> {
    const number = await newestNumber(join(keysDir, tenant));
    const current = number === 0 ? null : await load(tenant, `k${number}`);
    if (number > 0 && current === null) return null;
    if (current !== null && !isRetired(current, now())) return current;
    const made = await makeDataKey({ keysDir, tenant, keyId: `k${number + 1}`, createdMs: now() });
    return made ? load(tenant, `k${number + 1}`) : null;
  }

  return {
    async forWriting(tenant) {
      const current = writing.get(tenant);
      if (current !== undefined && current.trustedUntilMs > now() && !isRetired(current, now())) {
        current.uses += 1;
        return current;
      }
      const key = await once(finding, tenant, () => newest(tenant));
      if (key === null) {
        writing.delete(tenant);
        return null;
      }
      key.uses += 1;
      writing.set(tenant, key);
      return key;
    },
    forReading: load,
  };
}

/** Unwrapped keys in memory, each looked at again in its file once it is no longer trusted. */
function createLoader({ keysDir, now }: KeyOptions): (tenant: TenantName, keyId: string) => Promise<Held | null> {
  const held = new Map<string, Held>();
  const loading = new Map<string, Promise<Held | null>>();
  return async (tenant, keyId) => {
    const slot = `${tenant}/${keyId}`;
    const known = held.get(slot);
    if (known !== undefined && known.trustedUntilMs > now()) return known;
    return once(loading, slot, async () => {
      const read = await readDataKey({ keysDir, tenant, keyId });
      if (read === null) {
        held.delete(slot);
        return null;
      }
      const fresh = { ...read, uses: held.get(slot)?.uses ?? 0, trustedUntilMs: now() + TRUST_FOR_MS };
      held.set(slot, fresh);
      return fresh;
    });
  };
}

/** All who ask for the same while it is under way wait for the one answer. */
function once<K, T>(running: Map<K, Promise<T>>, key: K, start: () => Promise<T>): Promise<T> {
  const pending = running.get(key) ?? start().finally(() => running.delete(key));
  running.set(key, pending);
  return pending;
}

function isRetired(key: Held, nowMs: number): boolean {
  return nowMs - key.createdMs >= RETIRE_AFTER_MS || key.uses >= RETIRE_AFTER_USES;
}

interface KeyAddress {
  readonly keysDir: string;
  readonly tenant: TenantName;
  readonly keyId: string;
}

function boundTo(address: KeyAddress): Buffer {
  return lengthPrefixed(['habitat data key 1', address.tenant, address.keyId]);
}

async function readDataKey(address: KeyAddress): Promise<(DataKey & { readonly createdMs: number }) | null> {
  const { keysDir, tenant, keyId } = address;
  const folder = join(keysDir, tenant);
  if (!KEY_FILE.test(`${keyId}.json`) || (await exists(join(folder, DESTROYED)))) return null;
  const wrapped = await readWrapped(join(folder, `${keyId}.json`));
  const master = wrapped === null ? null : await readMasterKey(keysDir);
  if (wrapped === null || master === null) return null;
  const key = unwrapKey(master, wrapped.wrapped, boundTo(address));
  return key === null ? null : { keyId, key, createdMs: wrapped.createdMs };
}

async function readWrapped(path: string): Promise<WrappedKey | null> {
  try {
    return WrappedKey.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch {
    // Missing, unreadable or malformed: in each case the key cannot be had, which is all that the caller can act on.
    return null;
  }
}

async function makeDataKey(address: KeyAddress & { readonly createdMs: number }): Promise<boolean> {
  const folder = join(address.keysDir, address.tenant);
  const master = await readMasterKey(address.keysDir);
  if (master === null || (await exists(join(folder, DESTROYED)))) return false;
  const wrapped = wrapKey(master, randomBytes(32), boundTo(address));
  const file: WrappedKey = { format: 1, createdMs: address.createdMs, wrapped };
  await writeOnce(join(folder, `${address.keyId}.json`), `${JSON.stringify(file)}\n`);
  return true;
}

async function newestNumber(folder: string): Promise<number> {
  try {
    const numbers = (await readdir(folder)).map((name) => Number(KEY_FILE.exec(name)?.[1] ?? 0));
    return Math.max(0, ...numbers);
  } catch (error) {
    if (isCode(error, 'ENOENT')) return 0;
    throw error;
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch (error) {
    if (isCode(error, 'ENOENT')) return false;
    throw error;
  }
}
