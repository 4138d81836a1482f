import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { lastLogLine, startChild } from '#server/launch/child.ts';

const folder = mkdtempSync(join(tmpdir(), 'habitat-child-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('of a crash the line with the error is shown, not its stack or what Node adds', async () => {
  const logFile = join(folder, 'crash.log');
  const args = ['-e', "console.log('serving'); throw new RangeError('the reason')"];
  const child = await startChild({ name: 'crash', args, cwd: folder, env: process.env, logFile });
  expect(await child.exited).toBe('exit code 1');
  expect(lastLogLine(logFile)).toBe('RangeError: the reason');
});

test('of an ordinary log the last line is shown, without colours', () => {
  const logFile = join(folder, 'plain.log');
  writeFileSync(logFile, 'one\n\u001b[32mtwo\u001b[0m\n\n');
  expect(lastLogLine(logFile)).toBe('two');
});
