import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { LaunchError } from './launch-error.ts';

/** A running part of Habitat, whatever started it. */
export type Running = {
  readonly pid: number;
  /** Resolves when it is gone, for whatever reason, with a few words on how it ended. */
  readonly exited: Promise<string>;
};

export type ChildOptions = {
  readonly name: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly logFile: string;
};

/**
 * Starts a Node program in a process group of its own, so that Ctrl-C reaches only the launcher, with its output in a
 * log file that outlives both.
 */
export async function startChild(options: ChildOptions): Promise<Running> {
  const log = openSync(options.logFile, 'a', 0o600);
  const child = spawn(process.execPath, options.args, {
    cwd: options.cwd,
    env: options.env,
    stdio: ['ignore', log, log],
    detached: true,
  });
  closeSync(log);
  const exited = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(signal === null ? `exit code ${code}` : signal));
    child.once('error', (error) => resolve(error.message));
  });
  if (child.pid === undefined) throw new LaunchError(`${options.name} could not be started: ${await exited}.`);
  return { pid: child.pid, exited };
}

/** Runs a Node program to its end and returns whether it ended well. */
export async function runChild(options: ChildOptions, onStart: (child: Running) => void): Promise<boolean> {
  const child = await startChild(options);
  onStart(child);
  return (await child.exited) === 'exit code 0';
}

/** The line of a log that says best why its program ended: the last that names an error, else the last of all. */
export function lastLogLine(logFile: string): string {
  const lines = readFileSync(logFile, 'utf8')
    .replaceAll(new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g'), '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^(at |Node\.js v)/.test(line));
  return lines.findLast((line) => /\b\w*error\b/i.test(line)) ?? lines.at(-1) ?? 'no message';
}
