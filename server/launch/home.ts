import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { LaunchError } from './launch-error.ts';
import { commandLine, isErrno, isGoneWithin, isProcessAlive } from './processes.ts';
import { homePaths } from './settings.ts';
import { writeFileAtomically } from './write-file.ts';

const lockSchema = z.object({ pid: z.number(), watchdogPid: z.number().optional() });

const LOG_NAMES = ['console', 'gateway', 'cosmos', 'postgres', 'build', 'seed'];

/** Makes HABITAT_HOME and its folders. Others may walk through (PostgreSQL runs as another user), not look. */
export function prepareHome(home: string): void {
  const paths = homePaths(home);
  try {
    mkdirSync(home, { recursive: true, mode: 0o711 });
    accessSync(home, constants.W_OK | constants.X_OK);
    chmodOwn(home);
    for (const folder of [paths.logs, paths.cosmos, paths.gatewayState, paths.dataKeys]) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      accessSync(folder, constants.W_OK | constants.X_OK);
    }
  } catch (cause) {
    if (!isErrno(cause, 'EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'ENOSPC')) throw cause;
    throw new LaunchError(`${home} is not writable: set HABITAT_HOME to a folder that is.`, { cause });
  }
  for (const name of LOG_NAMES) rotateLog(join(paths.logs, `${name}.log`));
}

/**
 * One launcher at a time per HABITAT_HOME. A lock left by a launcher that was killed is taken over, once the watchdog
 * of that run has ended its processes.
 */
export async function lockHome(home: string, watchdogPid: number | undefined): Promise<() => void> {
  const { lock } = homePaths(home);
  const last = readLock(lock);
  if (last !== undefined && last.pid !== process.pid && isLauncher(last.pid)) {
    throw new LaunchError(
      `Habitat already runs on ${home} (pid ${last.pid}): stop that one, or set HABITAT_HOME and the ports to others.`,
    );
  }
  if (last?.watchdogPid !== undefined && commandLine(last.watchdogPid)?.includes('watchdog') === true) {
    await isGoneWithin(last.watchdogPid, 30_000);
  }
  writeFileAtomically(lock, JSON.stringify({ pid: process.pid, watchdogPid }));
  return () => {
    if (readLock(lock)?.pid === process.pid) rmSync(lock, { force: true });
  };
}

function chmodOwn(home: string): void {
  if (process.getuid !== undefined && statSync(home).uid === process.getuid()) chmodSync(home, 0o711);
}

function rotateLog(file: string): void {
  if (existsSync(file) && statSync(file).size > 0) renameSync(file, `${file}.1`);
}

function isLauncher(pid: number): boolean {
  // After a reboot the number may belong to anybody; where the system does not tell, being alive must do.
  return isProcessAlive(pid) && (commandLine(pid)?.includes('launch/main.ts') ?? true);
}

function readLock(file: string): z.infer<typeof lockSchema> | undefined {
  try {
    return lockSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    // Missing, or cut off by a full disk: either way it locks nothing.
    return undefined;
  }
}
