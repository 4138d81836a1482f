import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { EMULATOR_KEY } from '#gateway/emulator/http/authenticate.ts';
import { type Child, startChild } from './child.ts';

const MAIN = resolve(import.meta.dirname, '../../../gateway/emulator/main.ts');

/** The local Cosmos endpoint as a process of its own: one account, one region, no limit of request units. */
export async function startCosmos(dir: string): Promise<Child & { readonly url: string; readonly key: string }> {
  const config = join(dir, 'cosmos.json');
  const account = { name: 'bench', partitionRuPerSecond: null, regions: [{ name: 'East', port: 0 }] };
  writeFileSync(config, JSON.stringify({ accounts: [account] }));
  const args = [MAIN, '--config', config, '--dir', join(dir, 'cosmos')];
  const child = await startChild({ command: process.execPath, args, ready: /http:\S+/ });
  return { ...child, url: /http:\S+/.exec(child.said)?.[0] ?? '', key: EMULATOR_KEY };
}
