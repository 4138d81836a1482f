import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { LaunchError } from './launch-error.ts';
import { hashFiles } from './source-hash.ts';

/**
 * Generates the Prisma client when it is missing or made from another schema. It lies in prisma/client, outside the
 * repository, and no install script makes it, so that `npm ci --ignore-scripts` is enough. Needs no network.
 */
export async function ensureClient(root: string): Promise<void> {
  const folder = join(root, 'prisma', 'client');
  const mark = join(folder, '.made-from');
  const source = hashFiles(root, ['prisma/schema.prisma', 'node_modules/prisma/package.json']);
  if (existsSync(join(folder, 'client.ts')) && existsSync(mark) && readFileSync(mark, 'utf8') === source) return;
  const cli = join(root, 'node_modules', 'prisma', 'build', 'index.js');
  const child = spawn(process.execPath, [cli, 'generate'], {
    cwd: root,
    env: { ...process.env, PRISMA_HIDE_UPDATE_MESSAGE: '1', CHECKPOINT_DISABLE: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  const code = await new Promise((done) => child.once('close', done));
  if (code !== 0) throw new LaunchError(`The Prisma client could not be generated: ${output.trim()}`);
  writeFileSync(mark, source);
}

if (import.meta.main) await ensureClient(resolve(import.meta.dirname, '..', '..'));
