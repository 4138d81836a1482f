import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lockBuild } from './build-lock.ts';
import { lastLogLine, type Running, runChild } from './child.ts';
import { LaunchError } from './launch-error.ts';
import { hashBuildSources } from './source-hash.ts';

export type BuildOptions = {
  readonly root: string;
  readonly logFile: string;
  readonly env: NodeJS.ProcessEnv;
  readonly say: (line: string) => void;
  /** Hears of the build's process, so that it can be ended. */
  readonly onStart: (build: Running) => void;
  /** Throws when nobody wants the build any more. */
  readonly refuseWhenStopping: () => void;
};

const PROGRESS_MS = 10_000;
const NEXT = ['node_modules', 'next', 'dist', 'bin', 'next'];

/** The Next.js command in this checkout. */
export function nextCommand(root: string): string {
  return join(root, ...NEXT);
}

/** Builds the console into the checkout when there is no build of these sources; a start with one costs nothing. */
export async function ensureConsoleBuild(options: BuildOptions): Promise<void> {
  if (isBuilt(options.root)) return;
  const lock = await lockBuild(options);
  const onStart = (running: Running) => {
    lock.holdFor(running.pid);
    options.onStart(running);
  };
  try {
    // Whoever held the lock may have built it.
    if (!isBuilt(options.root)) await build({ ...options, onStart });
  } finally {
    lock.release();
  }
}

function isBuilt(root: string): boolean {
  const mark = join(root, '.next', 'built-from');
  const isWhole = existsSync(join(root, '.next', 'BUILD_ID')) && existsSync(mark);
  return isWhole && readFileSync(mark, 'utf8') === hashBuildSources(root);
}

async function build({ root, logFile, env, say, onStart }: BuildOptions): Promise<void> {
  const hash = hashBuildSources(root);
  const mark = join(root, '.next', 'built-from');
  const startedAt = performance.now();
  const seconds = () => Math.round((performance.now() - startedAt) / 1_000);
  say('Building the console; the first time this takes about a minute …');
  rmSync(mark, { force: true });
  const progress = setInterval(() => say(`  still building, ${seconds()} s`), PROGRESS_MS);
  try {
    const args = [nextCommand(root), 'build'];
    const isGood = await runChild(
      { name: 'build', args, cwd: root, env: { ...env, NODE_ENV: 'production' }, logFile },
      onStart,
    );
    if (!isGood)
      throw new LaunchError(`The console could not be built: ${lastLogLine(logFile)} (all of it in ${logFile})`);
  } finally {
    clearInterval(progress);
  }
  writeFileSync(mark, hash);
  say(`Built the console in ${seconds()} s.`);
}
