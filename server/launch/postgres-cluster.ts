import { spawnSync } from 'node:child_process';
import { chownSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LaunchError } from './launch-error.ts';
import type { PostgresPlace } from './postgres-account.ts';
import type { PostgresBinaries } from './postgres-binaries.ts';
import { isErrno } from './processes.ts';

/** The superuser of an embedded server and the name of Habitat's database in it. */
export const POSTGRES_USER = 'habitat';

/**
 * Makes the data folder at first start. A crash half-way leaves no half-made cluster: it is built beside and renamed.
 * Refuses data of another major version of PostgreSQL in one sentence.
 */
export function ensureCluster(place: PostgresPlace, binaries: PostgresBinaries, password: string): void {
  if (existsSync(join(place.data, 'PG_VERSION'))) {
    refuseOtherVersion(place, binaries);
    return;
  }
  if (existsSync(place.data)) {
    throw new LaunchError(
      `The data in ${place.data} is damaged (no PG_VERSION): restore it, or set HABITAT_HOME to a new folder.`,
    );
  }
  const draft = `${place.data}.${process.pid}`;
  const passwordFile = `${draft}.password`;
  rmSync(draft, { recursive: true, force: true });
  // initdb reads it as the account, so it must own it; it lives only as long as initdb runs.
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  if (place.account !== undefined) chownSync(passwordFile, place.account.uid, place.account.gid);
  try {
    runInitdb(place, binaries.initdb, ['-D', draft, `--pwfile=${passwordFile}`]);
  } finally {
    rmSync(passwordFile, { force: true });
  }
  moveIntoPlace(draft, place.data);
}

function runInitdb(place: PostgresPlace, initdb: string, args: readonly string[]): void {
  const flags = [
    `--username=${POSTGRES_USER}`,
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    '--encoding=UTF8',
    '--auth=scram-sha-256',
    '--no-instructions',
    // The server syncs everything at its first checkpoint; syncing an empty cluster only costs time.
    '--no-sync',
  ];
  const outcome = spawnSync(initdb, [...flags, ...args], { ...place.account, cwd: place.root, encoding: 'utf8' });
  if (outcome.status !== 0) {
    const reason = outcome.error?.message ?? outcome.stderr.trim().split('\n').at(-1) ?? 'no reason given';
    throw new LaunchError(`PostgreSQL could not make its data folder in ${place.root}: ${reason}`);
  }
}

function moveIntoPlace(draft: string, data: string): void {
  try {
    renameSync(draft, data);
  } catch (error) {
    // Another starter finished first. Both used the same password file, so its cluster serves as well.
    if (!isErrno(error, 'ENOTEMPTY', 'EEXIST')) throw error;
    rmSync(draft, { recursive: true, force: true });
  }
}

function refuseOtherVersion(place: PostgresPlace, binaries: PostgresBinaries): void {
  const found = readFileSync(join(place.data, 'PG_VERSION'), 'utf8').trim();
  const outcome = spawnSync(binaries.postgres, ['--version'], { ...place.account, cwd: place.root, encoding: 'utf8' });
  const bundled = /(\d+)\.\d+/.exec(outcome.stdout)?.[1];
  if (bundled !== undefined && bundled !== found) {
    throw new LaunchError(
      `The data in ${place.data} was written by PostgreSQL ${found} and this Habitat brings ${bundled}: move the data with pg_dump, or set HABITAT_HOME to a new folder.`,
    );
  }
}
