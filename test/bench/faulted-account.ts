import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { z } from 'zod';
import type { NewFault } from '#gateway/contract/local-cosmos.ts';
import { EMULATOR_KEY } from '#gateway/emulator/http/authenticate.ts';

const MAIN = resolve(import.meta.dirname, '../../gateway/emulator/main.ts');
const ACCOUNT = 'habitat-local';

/** An account with the regions East and West, served by a process of its own. */
export interface FaultedAccount {
  readonly url: string;
  readonly key: string;
  fault(fault: z.input<typeof NewFault>): Promise<void>;
  failover(region: string): Promise<void>;
  clear(): Promise<void>;
  stop(): Promise<void>;
}

export async function startFaultedAccount(dir: string): Promise<FaultedAccount> {
  const child = spawn(process.execPath, [MAIN, '--dir', dir, '--regions', 'East=0,West=0', '--admin-port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const said = await firstWords(child);
  const url = / in East on (\S+)/.exec(said)?.[1] ?? '';
  const admin = /cosmos admin on (\S+),/.exec(said)?.[1] ?? '';
  const token = (await readFile(join(dir, 'admin-token'), 'utf8')).trim();

  async function ask(method: string, path: string, body?: object): Promise<void> {
    const response = await fetch(new URL(path, admin), {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status}: ${text}`);
  }

  return {
    ...{ url, key: EMULATOR_KEY },
    fault: (fault) => ask('POST', '/faults', fault),
    failover: (region) => ask('POST', '/failover', { account: ACCOUNT, region }),
    clear: () => ask('DELETE', '/faults'),
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

async function firstWords(child: ChildProcess): Promise<string> {
  let said = '';
  for await (const chunk of child.stdout ?? []) {
    said += String(chunk);
    if (said.includes('cosmos admin on ')) return said;
  }
  throw new Error(`The Cosmos endpoint did not start: ${said}`);
}
