import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

const POLL_MS = 20;

/** How a process is asked to end: the polite signal, and how long it has before it is killed. */
export type StopOptions = { readonly signal?: NodeJS.Signals; readonly graceMs?: number };

/** True while the process runs. A zombie (dead, not yet reaped by its parent) counts as gone: it holds nothing. */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM means that it exists and belongs to someone else.
    if (!isErrno(error, 'EPERM')) return false;
  }
  return linuxState(pid) !== 'Z';
}

/**
 * Ends a process and everything in its process group: the polite signal first, SIGKILL when the grace is over.
 * Resolves when the process is gone. Children of the launcher are group leaders (spawned detached), so a
 * grandchild that outlives its parent goes too.
 */
export async function stopProcess(pid: number, options: StopOptions = {}): Promise<void> {
  const { signal = 'SIGTERM', graceMs = 10_000 } = options;
  signalProcess(pid, signal);
  if (!(await isGoneWithin(pid, graceMs))) {
    signalGroup(pid, 'SIGKILL');
    await isGoneWithin(pid, 5_000);
  }
  signalGroup(pid, 'SIGKILL');
}

/** Resolves true as soon as the process is gone, false when the time is over. */
export async function isGoneWithin(pid: number, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (isProcessAlive(pid)) {
    if (performance.now() > deadline) return false;
    await pause(POLL_MS);
  }
  return true;
}

/** The command line of a process, or undefined where the system does not tell (only Linux does without a tool). */
export function commandLine(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return undefined;
  }
}

/** When a process started, in ticks since the machine did; undefined where the system does not tell. */
export function startOf(pid: number): string | undefined {
  return linuxStat(pid)?.[19];
}

export function isErrno(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}

function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!isErrno(error, 'ESRCH')) throw error;
  }
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // No such group: the process led none, or the whole group is gone. A leader left alone is dealt with here.
    if (isProcessAlive(pid)) signalProcess(pid, signal);
  }
}

function linuxState(pid: number): string | undefined {
  return linuxStat(pid)?.[0];
}

/** The fields of /proc/<pid>/stat from the state on; the program's name before it may hold any character. */
function linuxStat(pid: number): readonly string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}
