import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DESTROYED, type KeyPlace, readKeyNumbers } from '#gateway/content/keys/key-folder.ts';
import { KeyProblem } from '#gateway/content/keys/key-wrapping.ts';
import { syncFolder, writeOnce } from '#gateway/content/keys/write-once.ts';
import type { TenantName } from '#gateway/contract/ids.ts';
import { logAct } from './act-log.ts';

export interface DestroyedKeys {
  readonly keys: readonly string[];
  /** What the provider destroyed beside the files, as a sentence. */
  readonly beside: string | null;
}

/**
 * Destroys every data key of a tenant, for ever. First a marker, so that no gateway makes a new one meanwhile; then the
 * files; then what the provider keeps. Repeating it finishes what a crash left. Rejects with `KeyProblem` for a tenant
 * that has no keys.
 */
export async function destroyKeys(
  { keysDir, wrapping }: KeyPlace,
  tenant: TenantName,
  nowMs: number,
): Promise<DestroyedKeys> {
  const numbers = await readKeyNumbers(keysDir, tenant);
  if (numbers !== 'destroyed' && numbers.length === 0)
    throw new KeyProblem(`Tenant ${tenant} has no keys in ${keysDir}.`);
  const folder = join(keysDir, tenant);
  await writeOnce(join(folder, DESTROYED), `${JSON.stringify({ atMs: nowMs })}\n`);
  const others = (await readdir(folder)).filter((name) => name !== DESTROYED);
  for (const name of others) await rm(join(folder, name), { force: true });
  await syncFolder(folder);
  const keys = others.flatMap((name) => (name.endsWith('.json') ? [name.slice(0, -5)] : []));
  await logAct(keysDir, nowMs, { act: 'destroy', tenant, keys });
  return { keys, beside: await wrapping.destroy(tenant) };
}
