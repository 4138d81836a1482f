import { rmSync } from 'node:fs';
import { homePaths } from './settings.ts';
import { writeFileAtomically } from './write-file.ts';

/** Where a running Habitat is, for scripts and tests: HABITAT_HOME/run.json. It exists only while Habitat runs. */
export type RunFile = {
  readonly name: string;
  readonly consoleUrl: string;
  readonly gatewayUrl: string;
  readonly cosmosUrl: string;
  readonly ports: Readonly<Record<string, number>>;
  /** Process ids by service; `launcher` is the one to signal. */
  readonly pids: Readonly<Record<string, number>>;
};

export function writeRunFile(home: string, run: RunFile): void {
  writeFileAtomically(homePaths(home).runFile, `${JSON.stringify(run, undefined, 2)}\n`, 0o644);
}

export function removeRunFile(home: string): void {
  rmSync(homePaths(home).runFile, { force: true });
}
