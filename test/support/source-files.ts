import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const SOURCE = /\.(ts|tsx|js|mjs|cjs|css)$/;
const SKIPPED = new Set(['node_modules', 'client', 'coverage', 'shots']);

/** Every source file of the repository, absolute. Ignored files do not count; without git, what lies in the folders. */
export function listSourceFiles(root: string): readonly string[] {
  const git = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  });
  const names = git.status === 0 ? git.stdout.split('\0') : walk(root, '');
  return names
    .filter((name) => SOURCE.test(name))
    .map((name) => join(root, name))
    .filter((file) => existsSync(file));
}

function walk(root: string, folder: string): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (entry.name.startsWith('.') || SKIPPED.has(entry.name)) return [];
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    return entry.isDirectory() ? walk(root, path) : [path];
  });
}
