import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/**
 * Time of the processor that a process used so far, all of its threads, in µs: the kernel's count of nanoseconds per thread
 * (`/proc/PID/task/TID/schedstat`), or where that is off its count of ticks (`stat`, fields 14 and 15). Linux alone.
 */
export function cpuUsOf(pid: number): number {
  const tasks = `/proc/${pid}/task`;
  return readdirSync(tasks).reduce((sum, tid) => sum + threadUs(`${tasks}/${tid}`), 0);
}

/** A thread that ended in between counts as nothing. */
function threadUs(task: string): number {
  try {
    const ns = Number(readFileSync(`${task}/schedstat`, 'utf8').split(' ')[0]);
    return ns > 0 ? ns / 1_000 : ticksUs(task);
  } catch {
    return 0;
  }
}

const TICK_US = 10_000;

function ticksUs(task: string): number {
  const fields = readFileSync(`${task}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_US;
}

/** Memory of a process that is in RAM, in MB. */
export function residentMb(pid: number): number {
  const kb = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kb) / 1_024;
}

/** Binds all threads of a process, and those that they start, to one core. */
export function pin(pid: number, core: number): void {
  execFileSync('taskset', ['-a', '-p', '-c', String(core), String(pid)], { stdio: 'ignore' });
}

/** The server under test has one core for itself; whatever loads it, and what lies behind it, share the other. */
export const SERVER_CORE = 0;
export const OTHER_CORE = 1;
