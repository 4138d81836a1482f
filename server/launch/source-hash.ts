import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** What the console's build is made of. */
const BUILD_SOURCES = [
  'app',
  'components',
  'server',
  'gateway/contract',
  'prisma/schema.prisma',
  'public',
  'next.config.js',
  'postcss.config.mjs',
  'proxy.ts',
  'package-lock.json',
  'tsconfig.json',
];

/** A fingerprint of everything the build of the console reads. Times do not matter, so a fresh clone keeps a build. */
export function hashBuildSources(root: string): string {
  return hashFiles(root, BUILD_SOURCES);
}

export function hashFiles(root: string, paths: readonly string[]): string {
  const hash = createHash('sha256');
  for (const path of paths.flatMap((path) => listFiles(root, path))) {
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0');
  }
  return hash.digest('hex');
}

function listFiles(root: string, path: string): readonly string[] {
  const kind = statSync(join(root, path), { throwIfNoEntry: false });
  if (kind === undefined) return [];
  if (!kind.isDirectory()) return [path];
  return readdirSync(join(root, path))
    .sort()
    .flatMap((name) => listFiles(root, `${path}/${name}`));
}
