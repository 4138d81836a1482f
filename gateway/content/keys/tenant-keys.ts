import type { KeyObject } from 'node:crypto';
import type { TenantName } from '#gateway/contract/ids.ts';
import { createKeyCache, type HeldKey, type KeyCacheOptions } from './key-cache.ts';
import {
  addKey,
  DECRYPT_ONLY_MS,
  destroyed,
  type KeyFile,
  type KeyPlace,
  readKeyFile,
  readKeyNumbers,
} from './key-folder.ts';

/** A data key is replaced after this age. */
const RETIRE_AFTER_MS = 30 * 24 * 60 * 60 * 1_000;
/** 2^30 uses with random IVs, split among as many threads as one gateway can have: none knows of the others' uses. */
const RETIRE_AFTER_USES = 2 ** 30 / 64;
/** The folder is looked at again this often for newer keys. */
const LOOK_EVERY_MS = 30_000;

export interface DataKey {
  readonly keyId: string;
  readonly key: KeyObject;
}

/** Both reject with `KeyProblem` when a key is destroyed or out of reach. */
export interface TenantKeys {
  /** The key to write with, made by the first to need it. */
  forWriting(tenant: TenantName): Promise<DataKey>;
  /** The key of an id as found in a stored item; any version that the folder holds. */
  forReading(tenant: TenantName, keyId: string): Promise<DataKey>;
  /** The same when it is unwrapped already, else null. */
  atHand(tenant: TenantName, keyId: string): DataKey | null;
  /** Whether what this key sealed may still be shown by those who opened it before. */
  holds(tenant: TenantName, keyId: string): boolean;
  /** Lets go of unwrapped keys that were not confirmed for too long, so that a destroyed key dies though nobody asks. */
  dropStale(): void;
}

/** Which key writes, and until when that is certain. */
interface Choice {
  readonly keyId: string;
  readonly untilMs: number;
}

/**
 * Data keys of tenants: `<keysDir>/<tenant>/k<n>.json`, wrapped by a provider. The folder is the truth that workers and
 * gateways share: whoever needs a key first links it in place, everyone else reads that file. The newest key that is no
 * longer decrypt-only writes.
 */
export function createTenantKeys(place: KeyCacheOptions): TenantKeys {
  const { now } = place;
  const cache = createKeyCache(place);
  const choices = new Map<TenantName, Choice>();
  const choosing = new Map<TenantName, Promise<Choice>>();

  async function choose(tenant: TenantName): Promise<Choice> {
    const ring = await readRing(place, tenant);
    const { current, pending } = ring ?? (await firstKey(place, tenant));
    const held = await cache.get({ tenant, keyId: current.keyId });
    const next = pending ?? (await nextKey(place, { tenant, current, held }));
    // Decrypt-only, but at hand: the first thing that another gateway writes with it is read without a pause.
    if (next !== null) await cache.get({ tenant, keyId: next.keyId });
    const untilMs = Math.min(now() + LOOK_EVERY_MS, next?.writesFromMs ?? Number.POSITIVE_INFINITY);
    return { keyId: current.keyId, untilMs };
  }

  return {
    async forWriting(tenant) {
      const known = choices.get(tenant);
      const isKnown = known !== undefined && now() < known.untilMs;
      const choice = isKnown ? known : await once(choosing, tenant, () => choose(tenant));
      choices.set(tenant, choice);
      const held = await cache.get({ tenant, keyId: choice.keyId });
      held.uses += 1;
      return held;
    },
    forReading: (tenant, keyId) => cache.get({ tenant, keyId }),
    atHand: (tenant, keyId) => cache.atHand({ tenant, keyId }),
    holds: (tenant, keyId) => cache.atHand({ tenant, keyId }) !== null,
    dropStale: () => cache.dropStale(),
  };
}

type Listed = KeyFile & { readonly keyId: string };

interface Ring {
  readonly current: Listed;
  /** A newer key that only decrypts yet. */
  readonly pending: Listed | null;
}

type Keeping = KeyPlace & { readonly now: () => number };

async function readRing({ keysDir, now }: Keeping, tenant: TenantName): Promise<Ring | null> {
  const numbers = await readKeyNumbers(keysDir, tenant);
  if (numbers === 'destroyed') throw destroyed(tenant);
  const [newestNumber, olderNumber] = numbers.slice(-2).reverse();
  if (newestNumber === undefined) return null;
  const newest = await listed(keysDir, tenant, newestNumber);
  const isPending = (newest.writesFromMs ?? 0) > now() && olderNumber !== undefined;
  if (!isPending) return { current: newest, pending: null };
  return { current: await listed(keysDir, tenant, olderNumber), pending: newest };
}

async function listed(keysDir: string, tenant: TenantName, number: number): Promise<Listed> {
  const keyId = `k${number}`;
  return { keyId, ...(await readKeyFile(keysDir, { tenant, keyId })) };
}

async function firstKey(place: Keeping, tenant: TenantName): Promise<Ring> {
  await addKey(place, { tenant, keyId: 'k1' }, { createdMs: place.now() });
  return { current: await listed(place.keysDir, tenant, 1), pending: null };
}

/** The key that follows one whose time is up. */
async function nextKey(
  place: Keeping,
  { tenant, current, held }: { tenant: TenantName; current: Listed; held: HeldKey },
): Promise<Listed | null> {
  const nowMs = place.now();
  const ageMs = nowMs - current.createdMs;
  if (ageMs < RETIRE_AFTER_MS - DECRYPT_ONLY_MS && held.uses < RETIRE_AFTER_USES) return null;
  const number = Number(current.keyId.slice(1)) + 1;
  const times = { createdMs: nowMs, writesFromMs: nowMs + DECRYPT_ONLY_MS };
  await addKey(place, { tenant, keyId: `k${number}` }, times);
  return listed(place.keysDir, tenant, number);
}

/** All who ask for the same while it is under way wait for the one answer. */
function once<K, T>(running: Map<K, Promise<T>>, key: K, start: () => Promise<T>): Promise<T> {
  const pending = running.get(key) ?? start().finally(() => running.delete(key));
  running.set(key, pending);
  return pending;
}
