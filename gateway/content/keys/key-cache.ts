import { createSecretKey, type KeyObject } from 'node:crypto';
import type { TenantName } from '#gateway/contract/ids.ts';
import { destroyed, type KeyPlace, readKeyFile, readKeyNumbers } from './key-folder.ts';
import type { KeyAddress } from './key-wrapping.ts';

/** An unwrapped key is confirmed anew after this, while it serves on. */
const CONFIRM_AFTER_MS = 30_000;
/** One that could not be confirmed serves no longer: a destroyed key is dead within 60 s, wherever it was unwrapped. */
const DROP_AFTER_MS = 55_000;

export interface HeldKey {
  readonly keyId: string;
  readonly key: KeyObject;
  /** Contents that this thread sealed with it. */
  uses: number;
}

interface Slot {
  readonly held: HeldKey;
  readonly tenant: TenantName;
  readonly confirmedMs: number;
}

export interface KeyCacheOptions extends KeyPlace {
  readonly now: () => number;
  /** Called for each key that is let go of, whatever the reason. */
  readonly onGone?: (tenant: TenantName) => void;
}

export interface KeyCache {
  /** Rejects with `KeyProblem`. */
  get(address: KeyAddress): Promise<HeldKey>;
  /** The key when it may still be used, else null; one that is in use is confirmed on the way. */
  atHand(address: KeyAddress): HeldKey | null;
  dropStale(): void;
}

/** Unwrapped keys in memory. Each is unwrapped again every half minute, so that what was destroyed is let go in time. */
export function createKeyCache({ keysDir, wrapping, now, onGone }: KeyCacheOptions): KeyCache {
  const slots = new Map<string, Slot>();
  const unwrapping = new Map<string, Promise<HeldKey>>();

  function letGo(name: string): void {
    const slot = slots.get(name);
    if (slot !== undefined && slots.delete(name)) onGone?.(slot.tenant);
  }

  async function unwrap(address: KeyAddress, name: string): Promise<HeldKey> {
    const askedMs = now();
    try {
      if ((await readKeyNumbers(keysDir, address.tenant)) === 'destroyed') {
        letGo(name);
        throw destroyed(address.tenant);
      }
      const plain = await wrapping.unwrap(address, await readKeyFile(keysDir, address));
      const key = createSecretKey(plain);
      plain.fill(0);
      const held: HeldKey = { keyId: address.keyId, key, uses: slots.get(name)?.held.uses ?? 0 };
      slots.set(name, { held, tenant: address.tenant, confirmedMs: askedMs });
      return held;
    } finally {
      unwrapping.delete(name);
    }
  }

  function unwrapOnce(address: KeyAddress, name: string): Promise<HeldKey> {
    const pending = unwrapping.get(name) ?? unwrap(address, name);
    unwrapping.set(name, pending);
    return pending;
  }

  function atHand(address: KeyAddress): HeldKey | null {
    const name = nameOf(address);
    const slot = slots.get(name);
    const ageMs = slot === undefined ? Number.POSITIVE_INFINITY : now() - slot.confirmedMs;
    if (slot === undefined || ageMs >= DROP_AFTER_MS) return null;
    // Whoever asks after the key was dropped is told why it cannot be had; nobody needs to hear it before.
    if (ageMs >= CONFIRM_AFTER_MS) unwrapOnce(address, name).catch(() => undefined);
    return slot.held;
  }

  return {
    async get(address) {
      return atHand(address) ?? unwrapOnce(address, nameOf(address));
    },
    atHand,
    dropStale() {
      for (const [name, { confirmedMs }] of slots) if (now() - confirmedMs >= DROP_AFTER_MS) letGo(name);
    },
  };
}

function nameOf({ tenant, keyId }: KeyAddress): string {
  return `${tenant}/${keyId}`;
}
