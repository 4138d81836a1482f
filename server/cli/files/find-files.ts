import { opendirSync, realpathSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { usageError } from '#server/cli/exit.ts';
import type { Problem } from './problem.ts';

/** A file of definitions: how to open it, and how the person names it. */
export interface FoundFile {
  readonly path: string;
  /** Relative to where the person is. */
  readonly name: string;
}

const NAMES = /\.(ya?ml|json)$/i;

/**
 * Every YAML and JSON file in a folder and below it, by name. Symbolic links are followed, each real file and folder once,
 * so that a circle ends; hidden ones and node_modules are left out. A link to nowhere is a problem.
 */
export function findFiles(folder: string, cwd: string): { readonly files: FoundFile[]; readonly problems: Problem[] } {
  const root = statSync(folder, { throwIfNoEntry: false });
  if (root === undefined)
    throw usageError(`There is no folder ${relative(cwd, folder) || folder}. Run habitat export into it first.`);
  if (!root.isDirectory()) throw usageError(`${relative(cwd, folder)} is no folder.`);
  const files: FoundFile[] = [];
  const problems: Problem[] = [];
  const seen = new Set<string>();
  const walk = (at: string) => {
    if (isSeen(seen, at)) return;
    for (const entry of entriesOf(at)) {
      const path = join(at, entry);
      const info = statSync(path, { throwIfNoEntry: false });
      if (info === undefined) problems.push(linkToNowhere(relative(cwd, path)));
      else if (info.isDirectory()) walk(path);
      else if (info.isFile() && NAMES.test(entry) && !isSeen(seen, path))
        files.push({ path, name: relative(cwd, path) });
    }
  };
  walk(folder);
  return { files, problems };
}

function entriesOf(folder: string): string[] {
  const directory = opendirSync(folder);
  const names: string[] = [];
  try {
    for (let entry = directory.readSync(); entry !== null; entry = directory.readSync()) {
      if (!entry.name.startsWith('.') && entry.name !== 'node_modules') names.push(entry.name);
    }
  } finally {
    directory.closeSync();
  }
  return names.sort();
}

function isSeen(seen: Set<string>, path: string): boolean {
  const real = realpathSync(path);
  if (seen.has(real)) return true;
  seen.add(real);
  return false;
}

function linkToNowhere(file: string): Problem {
  return {
    code: 'file_unreadable',
    severity: 'error',
    file,
    line: null,
    column: null,
    definition: null,
    message: 'The link leads nowhere. Remove it or restore what it named.',
  };
}
