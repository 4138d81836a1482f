import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hashBuildSources } from '#server/launch/source-hash.ts';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'habitat-hash-'));
  mkdirSync(join(root, 'app', 'deep'), { recursive: true });
  mkdirSync(join(root, 'gateway', 'pipeline'), { recursive: true });
  writeFileSync(join(root, 'app', 'deep', 'page.tsx'), 'one');
  writeFileSync(join(root, 'app', 'other.tsx'), 'two');
});

afterEach(() => rmSync(root, { recursive: true }));

test('an edit, a new file and a removed file each ask for a new build', () => {
  const hashes = new Set([hashBuildSources(root)]);
  writeFileSync(join(root, 'app', 'deep', 'page.tsx'), 'changed');
  hashes.add(hashBuildSources(root));
  writeFileSync(join(root, 'app', 'new.tsx'), '');
  hashes.add(hashBuildSources(root));
  rmSync(join(root, 'app', 'other.tsx'));
  hashes.add(hashBuildSources(root));
  expect(hashes.size).toBe(4);
});

test('a touched file and an edit of the gateway ask for none', () => {
  const before = hashBuildSources(root);
  utimesSync(join(root, 'app', 'other.tsx'), 1, 1);
  writeFileSync(join(root, 'gateway', 'pipeline', 'run.ts'), 'edited');
  expect(hashBuildSources(root)).toBe(before);
});
