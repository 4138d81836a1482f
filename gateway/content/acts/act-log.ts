import { appendFile } from 'node:fs/promises';
import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import type { TenantName } from '#gateway/contract/ids.ts';

/** An act on the keys of a tenant, as the log keeps it. */
export interface KeyAct {
  readonly act: 'rotate' | 'destroy';
  readonly tenant: TenantName;
  readonly keys: readonly string[];
}

/** Appends one line of JSON to `<keysDir>/acts.log`: when, who, where, what. */
export async function logAct(keysDir: string, nowMs: number, act: KeyAct): Promise<void> {
  const line = { at: new Date(nowMs).toISOString(), by: userInfo().username, host: hostname(), ...act };
  await appendFile(join(keysDir, 'acts.log'), `${JSON.stringify(line)}\n`, { mode: 0o600 });
}
