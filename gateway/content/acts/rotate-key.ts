import { addKey, DECRYPT_ONLY_MS, destroyed, type KeyPlace } from '#gateway/content/keys/key-folder.ts';
import { KeyProblem } from '#gateway/content/keys/key-wrapping.ts';
import type { TenantName } from '#gateway/contract/ids.ts';
import { logAct } from './act-log.ts';
import { type ListedKey, listKeys } from './list-keys.ts';

export interface Rotated {
  readonly made: ListedKey;
  readonly replaced: ListedKey;
}

/**
 * Makes the next data key of a tenant while its gateways serve: each of them decrypts with it at once and writes with it
 * a minute later. Older keys stay, for what they sealed. Rejects with `KeyProblem` when there is nothing to replace, when
 * the last rotation is still under way, and when keys were destroyed.
 */
export async function rotateKey(place: KeyPlace, tenant: TenantName, nowMs: number): Promise<Rotated> {
  const before = await keysOf(place, tenant, nowMs);
  const newest = before.at(-1);
  if (newest === undefined) throw new KeyProblem(`Tenant ${tenant} has no key yet; its first write makes one.`);
  if (newest.state === 'decrypt-only') {
    const time = new Date(newest.writesFromMs).toISOString();
    throw new KeyProblem(`${newest.keyId} of tenant ${tenant} was made already; gateways write with it from ${time}.`);
  }
  const keyId = `k${Number(newest.keyId.slice(1)) + 1}`;
  await addKey(place, { tenant, keyId }, { createdMs: nowMs, writesFromMs: nowMs + DECRYPT_ONLY_MS });
  await logAct(place.keysDir, nowMs, { act: 'rotate', tenant, keys: [keyId] });
  const made = (await keysOf(place, tenant, nowMs)).find((key) => key.keyId === keyId);
  if (made === undefined) throw destroyed(tenant);
  return { made, replaced: newest };
}

async function keysOf({ keysDir }: KeyPlace, tenant: TenantName, nowMs: number): Promise<readonly ListedKey[]> {
  const [listed] = await listKeys(keysDir, { tenant, nowMs });
  if (listed === undefined || listed.keys === 'destroyed') throw destroyed(tenant);
  return listed.keys;
}
