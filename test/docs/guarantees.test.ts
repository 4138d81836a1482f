import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const text = readFileSync('docs/guarantees.md', 'utf8');

interface Row {
  readonly id: string;
  /** Test files, as the page links to them. */
  readonly files: readonly string[];
}

const rows: readonly Row[] = [...text.matchAll(/^\| ([TC]\d+) \|(.*)\|$/gm)].map(([, id = '', cells = '']) => ({
  id,
  files: linksOf(cells.split('|').at(-1) ?? ''),
}));

function linksOf(markdown: string): readonly string[] {
  return [...markdown.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => join('docs', link));
}

/** Names of the tests of a file, those of a table before its values are put in. */
function namesIn(file: string): readonly string[] {
  const source = readFileSync(file, 'utf8');
  const calls = source.matchAll(/^ *(?:test|it|describe)\b[^'"`]*?\(\s*(['"`])((?:\\.|(?!\1).)*)\1/gm);
  const tables = source.matchAll(/^ *\]\)\(\s*(['"`])((?:\\.|(?!\1).)*)\1/gm);
  return [...calls, ...tables].map(([, , name = '']) => name);
}

test('every guarantee and every row of the crash and interleaving matrix is listed once', () => {
  const ids = (letter: string) => Array.from({ length: 17 }, (_, index) => `${letter}${index + 1}`);
  expect(rows.map(({ id }) => id)).toEqual([...ids('T'), ...ids('C')]);
});

describe('each row names tests that exist and bear its number', () => {
  test.each(rows)('$id', ({ id, files }) => {
    expect(files).not.toEqual([]);
    for (const file of files) {
      expect(existsSync(file), file).toBe(true);
      expect(
        namesIn(file).filter((name) => name.startsWith(`${id}: `)),
        file,
      ).not.toEqual([]);
    }
  });
});

test('every test file that the page speaks of exists', () => {
  for (const file of linksOf(text)) expect(existsSync(file), file).toBe(true);
});
