import { describe, expect, it } from 'vitest';
import { readCommandLine } from '#server/cli/command-line.ts';
import { nearest } from '#server/cli/nearest.ts';
import { withoutSecret } from '#server/cli/source.ts';
import { plain } from '#server/cli/terminal.ts';
import { unifiedDiff } from '#server/cli/unified.ts';

it('the nearest word is what was meant, and nothing when nothing is near', () => {
  expect(nearest('desciption', ['description', 'document'])).toBe('description');
  expect(nearest('wirtes', ['reads', 'writes'])).toBe('writes');
  expect(nearest('zebra', ['reads', 'writes'])).toBeNull();
});

describe('a unified diff', () => {
  const lines = (text: string, other: string) =>
    unifiedDiff({ name: 'a', text }, { name: 'b', text: other }).map((line) => line.text);

  it('of equal texts is empty, and of different ones what diff -u says', () => {
    const text = Array.from({ length: 20 }, (_, n) => `line ${n}`).join('\n');
    expect(lines(text, text)).toEqual([]);
    const other = text.replace('line 2\n', 'line two\n').replace('line 18', 'line 18\nmore');
    expect(lines(text, other)).toEqual([
      ...['--- a', '+++ b', '@@ -1,6 +1,6 @@', ' line 0', ' line 1', '-line 2', '+line two', ' line 3', ' line 4'],
      ...[' line 5', '@@ -17,4 +17,5 @@', ' line 16', ' line 17', ' line 18', '+more', ' line 19'],
    ]);
    expect(lines('', 'x\n')).toEqual(['--- a', '+++ b', '@@ -0,0 +1,1 @@', '+x']);
  });

  it('of texts beyond all bounds still ends', () => {
    const long = Array.from({ length: 5_000 }, (_, n) => `${n}`).join('\n');
    expect(lines(long, `${long}\nx`).length).toBeGreaterThan(5_000);
  });
});

it('a remote of git is named without user and password', () => {
  expect(withoutSecret('https://bot:secret@git.example/team/repo.git')).toBe('https://git.example/team/repo');
  expect(withoutSecret('git@git.example:team/repo.git')).toBe('https://git.example/team/repo');
  expect(withoutSecret('ssh://git@git.example/team/repo.git')).toBe('https://git.example/team/repo');
});

it('what others wrote cannot drive the terminal', () => {
  expect(plain('a\u001b[2Jb\u0007\u009bc\nd')).toBe('a\u{fffd}[2Jb\u{fffd}\u{fffd}c\nd');
});

it('a wrong command line says what was meant', () => {
  expect(() => readCommandLine(['dif'])).toThrow('Did you mean diff?');
  expect(() => readCommandLine(['apply', '--reson', 'x'])).toThrow('Did you mean --reason?');
  expect(() => readCommandLine(['diff', 'a', 'b'])).toThrow('takes one FOLDER');
  expect(() => readCommandLine(['apply', '--title'])).toThrow(/habitat apply: /);
  expect(readCommandLine(['help', 'diff'])).toEqual({ help: 'diff' });
  expect(readCommandLine(['diff', '--help'])).toEqual({ help: 'diff' });
  expect(readCommandLine([])).toEqual({ help: null });
});
