import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ensureConsoleBuild } from './build-console.ts';
import { ensureClient } from './generate-client.ts';
import { LaunchError } from './launch-error.ts';

// `npm run build`: the console's build, made when there is none of these sources.
const root = resolve(import.meta.dirname, '..', '..');
const logFolder = join(root, 'node_modules', '.cache');
const say = (line: string) => process.stdout.write(`${line}\n`);

try {
  mkdirSync(logFolder, { recursive: true });
  await ensureClient(root);
  await ensureConsoleBuild({
    root,
    logFile: join(logFolder, 'build.log'),
    env: process.env,
    say,
    onStart: () => undefined,
    refuseWhenStopping: () => undefined,
  });
  say('The console is built: .next');
} catch (error) {
  if (!(error instanceof LaunchError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
