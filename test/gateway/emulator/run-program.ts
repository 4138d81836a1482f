import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';

const MAIN = createRequire(import.meta.url).resolve('#gateway/emulator/main.ts');

/** The endpoint as a process of its own. */
export interface Program {
  readonly child: ChildProcess;
  /** Its URL, from the line that it prints; rejects when it ends before. */
  readonly ready: Promise<string>;
  readonly exited: Promise<number | null>;
  stdout(): string;
  stderr(): string;
}

export function runProgram(dir: string, port = '0'): Program {
  return runProgramWith(['--port', port, '--dir', dir]);
}

export function runProgramWith(args: readonly string[]): Program {
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve));
  const ready = new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
      const url = /^cosmos endpoint (?:of .+ )?on (http:\S+)\n/.exec(stdout)?.[1];
      if (url !== undefined) resolve(url);
    });
    child.once('close', () => reject(new Error(`the endpoint ended before it was ready: ${stderr}`)));
  });
  // A program that is expected to fail is never asked whether it is ready.
  ready.catch(() => {});
  return { child, ready, exited, stdout: () => stdout, stderr: () => stderr };
}
