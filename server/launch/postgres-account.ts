import { spawnSync } from 'node:child_process';
import { chownSync, mkdirSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LaunchError } from './launch-error.ts';
import { isErrno } from './processes.ts';

/** The user that Postgres runs as. Undefined: the user who starts us. */
export type PostgresAccount = { readonly uid: number; readonly gid: number } | undefined;

/** Where the files of one Postgres lie and who owns them. `root` is a folder that the account can enter and write. */
export type PostgresPlace = { readonly root: string; readonly data: string; readonly account: PostgresAccount };

/** On every Unix this is the user without rights; Postgres refuses to run as root. */
const NOBODY = 65534;

/**
 * Finds the folder for the data. Normally `folder` itself. When we are root and `folder` lies below one that the
 * account may not enter (a checkout under /root), a folder outside is made once and remembered in `folder/location`.
 */
export function findPostgresPlace(folder: string): PostgresPlace {
  mkdirSync(folder, { recursive: true, mode: 0o711 });
  refuseForeignFolder(folder);
  const root = rememberedRoot(folder) ?? folder;
  const account = accountFor(root);
  if (account === undefined || isFolder(join(root, 'data'))) return placeIn(root, account);
  const inside = join(folder, 'cluster');
  mkdirSync(inside, { recursive: true, mode: 0o700 });
  chownSync(inside, account.uid, account.gid);
  const chosen = canWrite(inside, account) ? inside : folderOutside(account);
  writeFileSync(join(folder, 'location'), `${chosen}\n`);
  return placeIn(chosen, account);
}

function placeIn(root: string, account: PostgresAccount): PostgresPlace {
  return { root, data: join(root, 'data'), account };
}

function rememberedRoot(folder: string): string | undefined {
  try {
    const root = readFileSync(join(folder, 'location'), 'utf8').trim();
    // A checkout that was moved takes its data along; one that lies outside stays where it was.
    const moved = join(folder, 'cluster');
    return isFolder(join(moved, 'data')) ? moved : isFolder(root) ? root : undefined;
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined;
    throw error;
  }
}

function accountFor(root: string): PostgresAccount {
  if (process.getuid?.() !== 0) return undefined;
  // Data made by a normal user keeps its owner when root starts it later.
  const data = join(root, 'data');
  const owner = isFolder(data) ? statSync(data) : undefined;
  return owner !== undefined && owner.uid !== 0 ? { uid: owner.uid, gid: owner.gid } : { uid: NOBODY, gid: NOBODY };
}

function refuseForeignFolder(folder: string): void {
  const uid = process.getuid?.();
  if (uid === undefined || uid === 0) return;
  const owner = statSync(folder).uid;
  if (owner !== uid) {
    throw new LaunchError(
      `The database in ${folder} belongs to another user (uid ${owner}): start as that user, or set HABITAT_HOME to a new folder.`,
    );
  }
}

function folderOutside(account: { readonly uid: number; readonly gid: number }): string {
  for (const parent of ['/var/lib', tmpdir()]) {
    try {
      mkdirSync(join(parent, 'habitat'), { recursive: true, mode: 0o711 });
      const folder = mkdtempSync(join(parent, 'habitat', 'postgres-'));
      chownSync(folder, account.uid, account.gid);
      if (canWrite(folder, account)) return folder;
    } catch (error) {
      if (!isErrno(error, 'EACCES', 'EROFS', 'ENOENT', 'EPERM')) throw error;
    }
  }
  throw new LaunchError(
    'PostgreSQL does not run as root and found no folder that user 65534 can write: set HABITAT_HOME to one under /var/lib, start as a normal user, or set DATABASE_URL.',
  );
}

function canWrite(folder: string, account: { readonly uid: number; readonly gid: number }): boolean {
  // Asking the system as that user is the only answer that is right under ACLs, mounts and namespaces alike.
  const probe = spawnSync('/bin/sh', ['-c', 'cd "$1" && test -w .', 'sh', folder], { ...account, cwd: '/' });
  return probe.status === 0;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
