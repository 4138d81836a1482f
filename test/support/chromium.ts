import { spawn } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const MAC_CHROME = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';

/**
 * The browser for the browser tests: CHROMIUM_PATH, else one on the PATH, else, as root on Debian, one that apt-get
 * installs now. Otherwise a sentence on what to do; the tests then fail instead of being skipped.
 */
export async function findChromium(): Promise<{ readonly path: string } | { readonly problem: string }> {
  const named = process.env.CHROMIUM_PATH;
  if (named !== undefined && named !== '') {
    return isExecutable(named) ? { path: named } : { problem: `CHROMIUM_PATH names ${named}, which is no program.` };
  }
  const found = searchPath();
  if (found !== undefined) return { path: found };
  if (process.getuid?.() === 0 && existsSync('/etc/debian_version')) {
    process.stdout.write('Installing chromium with apt-get …\n');
    const isInstalled =
      (await run('apt-get', 'update')) &&
      (await run('apt-get', 'install', '-y', '--no-install-recommends', 'chromium'));
    const installed = searchPath();
    if (isInstalled && installed !== undefined) return { path: installed };
  }
  return { problem: 'The browser tests need Chromium: install it (apt-get install chromium) or set CHROMIUM_PATH.' };
}

function searchPath(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const candidates = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...candidates, MAC_CHROME].find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function run(program: string, ...args: readonly string[]): Promise<boolean> {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const child = spawn(program, args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  return new Promise((resolve) => {
    child.once('error', () => resolve(false));
    child.once('close', (code) => resolve(code === 0));
  });
}
