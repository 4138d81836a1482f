import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { ERRORS, type ErrorCode } from '#gateway/contract/errors.ts';
import { listSourceFiles } from '#test/support/source-files.ts';

const here = resolve(import.meta.dirname);

/** The tests that send real requests over HTTP to a real gateway process; those of stages and of the store do not count. */
const CALLER = /^import [^;]*'(?:#test\/gateway\/fixtures\/gateway|\.\/fleet|\.\/fixtures\/gateway)\.ts';$/m;
const tests = listSourceFiles(here)
  .filter((file) => file.endsWith('.test.ts') && file !== import.meta.filename)
  .map((file) => ({ file, source: readFileSync(file, 'utf8') }))
  .filter(({ source }) => CALLER.test(source))
  .map(({ file, source }) => ({ file, lines: statementsOf(source) }));

/**
 * Whatever an assertion is compared with, whether it stands in the assertion or in the table that feeds it. A comment or a
 * fixture that only names a code is none.
 */
function statementsOf(source: string): readonly string[] {
  const tables = [...source.matchAll(/\b(?:test|it)\.each(?:<[^(]*>)?\(\[([\s\S]*?)\]\)\(/g)].map(
    ([, rows]) => rows ?? '',
  );
  const asserted = source
    .split(/(?=\bexpect\()/)
    .slice(1)
    .map((text) => text.slice(0, text.indexOf(';') + 1));
  return [...tables, ...asserted];
}

test.each(Object.keys(ERRORS) as ErrorCode[])('%s is produced by a request to a gateway', (code) => {
  const producers = tests.filter(({ lines }) => lines.some((line) => line.includes(`'${code}'`)));
  expect(producers.map(({ file }) => file)).not.toEqual([]);
});
