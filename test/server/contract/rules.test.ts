import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { RULES } from '#server/contract/rules.ts';
import { listSourceFiles } from '#test/support/source-files.ts';

const root = resolve(import.meta.dirname, '..', '..', '..');

test('every rule that is listed is found by some check', () => {
  const table = join(root, 'server/contract/rules.ts');
  const source = listSourceFiles(root)
    .filter((file) => file.startsWith(join(root, 'server/')) && file !== table)
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  expect(Object.keys(RULES).filter((code) => !source.includes(`'${code}'`))).toEqual([]);
});
