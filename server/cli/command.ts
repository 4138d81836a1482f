import { isAbsolute, resolve } from 'node:path';
import type { CommandLine } from './command-line.ts';
import { type ConsoleApi, consoleApi } from './console-api.ts';
import { readCredentials } from './credentials.ts';
import { EXIT, type Exit } from './exit.ts';
import { type Problem, problemLine } from './files/problem.ts';
import type { FileSet } from './files/read-files.ts';
import type { Terminal, Tone } from './terminal.ts';

/** What a command runs with. */
export interface Run {
  readonly line: CommandLine;
  readonly terminal: Terminal;
  /** A line for a person; silent under --json. */
  readonly say: (line: string, tone?: Tone) => void;
}

/** How a command ended: its exit code and, under --json, its result. */
export interface Outcome {
  readonly exit: Exit;
  readonly result: Readonly<Record<string, unknown>>;
}

export type Command = (run: Run) => Promise<Outcome>;

/** The folder of definitions that a command works on. */
const DEFAULT_FOLDER = 'definitions';

export function apiOf({ line, terminal }: Run): ConsoleApi {
  return consoleApi(readCredentials(terminal, line.text('url')));
}

export function pathIn({ terminal }: Pick<Run, 'terminal'>, path: string): string {
  return isAbsolute(path) ? path : resolve(terminal.cwd, path);
}

export function folderOf(run: Run): string {
  return pathIn(run, run.line.argument ?? DEFAULT_FOLDER);
}

/** Ends a command whose files have faults: each is said with its place. Null when they have none. */
export function endWithProblems(run: Run, { problems }: Pick<FileSet, 'problems'>): Outcome | null {
  if (problems.length === 0) return null;
  sayProblems(run, problems);
  return { exit: EXIT.differences, result: { problems } };
}

export function sayProblems({ say }: Run, problems: readonly Problem[]): void {
  for (const problem of problems) say(problemLine(problem), problem.severity === 'error' ? 'removed' : 'plain');
}
