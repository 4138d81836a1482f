import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

export interface Child {
  readonly pid: number;
  readonly process: ChildProcess;
  stop(): Promise<void>;
}

export interface Started {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** What its standard output says when it is ready. */
  readonly ready: RegExp;
}

const START_MS = 60_000;

/** Starts a program and waits until it says that it is ready; what it said so is given back. */
export async function startChild({ command, args, env = {}, ready }: Started): Promise<Child & { said: string }> {
  const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'inherit'] });
  endWithBench(child);
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let said = '';
  const late = setTimeout(() => reject(new Error(`${command} ${args[0]} did not get ready: ${said}`)), START_MS);
  child.stdout.on('data', (chunk) => {
    said += chunk;
    if (ready.test(said)) resolve(said);
  });
  child.once('error', reject);
  child.once('exit', (code) => reject(new Error(`${command} ${args[0]} ended with ${code}: ${said}`)));
  await promise.finally(() => clearTimeout(late));
  return { pid: child.pid ?? 0, process: child, said, stop: () => stopChild(child) };
}

/** Whatever ends the bench ends what it started. */
export function endWithBench(child: ChildProcess): void {
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), 5_000);
  await ended;
  clearTimeout(late);
}
