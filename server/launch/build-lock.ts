import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { LaunchError } from './launch-error.ts';
import { isErrno, isProcessAlive, startOf } from './processes.ts';
import { writeFileAtomically } from './write-file.ts';

export type BuildLock = {
  /** The build's own process holds the lock too: it may outlive a launcher that is killed. */
  holdFor(pid: number): void;
  release(): void;
};

export type LockOptions = {
  readonly root: string;
  readonly say: (line: string) => void;
  /** Throws when the wait is no longer wanted. */
  readonly refuseWhenStopping: () => void;
};

const POLL_MS = 200;

/** One build at a time in a checkout: resolves when nobody else builds. A lock whose holders are gone counts for nothing. */
export async function lockBuild({ root, say, refuseWhenStopping }: LockOptions): Promise<BuildLock> {
  // Not in .next, which the build empties.
  const folder = join(root, '.habitat-build');
  const lock = join(folder, 'pid');
  let hasSaid = false;
  while (!tryLock(root, folder, lock)) {
    refuseWhenStopping();
    const held = readLock(lock);
    if (held === undefined) continue;
    if (!held.split(' ').some(isHolder)) {
      // Only the lock that was judged: another starter may have taken it over meanwhile.
      if (readLock(lock) === held) rmSync(lock, { force: true });
      continue;
    }
    if (!hasSaid) say('Waiting for a build of the console that is under way …');
    hasSaid = true;
    await pause(POLL_MS);
  }
  const own = holderOf(process.pid);
  return {
    holdFor: (pid) => writeFileAtomically(lock, `${own} ${holderOf(pid)}`),
    release: () => rmSync(lock, { force: true }),
  };
}

/** A link appears with its text or not at all, so that no reader sees a lock without a holder. */
function tryLock(root: string, folder: string, lock: string): boolean {
  const draft = `${lock}.${process.pid}.${performance.now()}`;
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(draft, holderOf(process.pid));
    linkSync(draft, lock);
    return true;
  } catch (cause) {
    if (isErrno(cause, 'EEXIST')) return false;
    if (!isErrno(cause, 'EACCES', 'EPERM', 'EROFS')) throw cause;
    throw new LaunchError(
      `${root} is not writable: build the console as its owner (npm run build), or use a clone of your own.`,
      { cause },
    );
  } finally {
    rmSync(draft, { force: true });
  }
}

/** A process number is used again one day; together with its start it is not. */
function holderOf(pid: number): string {
  return `${pid}@${startOf(pid) ?? ''}`;
}

function isHolder(text: string): boolean {
  const pid = Number(text.split('@')[0]);
  return pid > 0 && isProcessAlive(pid) && holderOf(pid) === text;
}

function readLock(lock: string): string | undefined {
  try {
    return readFileSync(lock, 'utf8');
  } catch (cause) {
    if (!isErrno(cause, 'ENOENT')) throw cause;
    return undefined;
  }
}
