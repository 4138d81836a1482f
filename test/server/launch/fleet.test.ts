import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startChild } from '#server/launch/child.ts';
import { Fleet, type Part } from '#server/launch/fleet.ts';
import { isGoneWithin, isProcessAlive } from '#server/launch/processes.ts';
import { startWatchdog, type Watchdog } from '#server/launch/watchdog.ts';
import { waitUntil } from '#test/support/wait-until.ts';

let folder: string;
let watchdog: Watchdog;
let lines: string[];
let restarts: number;
let fleet: Fleet;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'habitat-fleet-'));
  watchdog = startWatchdog();
  lines = [];
  restarts = 0;
  fleet = new Fleet({ watchdog, say: (line) => lines.push(line), onRestart: () => restarts++, backoffMs: [1, 5] });
});

afterEach(async () => {
  await fleet.stop(() => undefined);
  await watchdog.dismiss();
  rmSync(folder, { recursive: true });
});

test('a part that is killed is started again, and one line says what it last said', async () => {
  await fleet.add(part('a', "console.error('Error: the last words');"));
  const first = pidOf('a');
  process.kill(first, 'SIGKILL');
  await waitUntil(() => restarts === 1);
  expect(pidOf('a')).not.toBe(first);
  expect(lines[0]).toBe('a ended (SIGKILL); starting it again. It last said: Error: the last words');
  expect(lines.at(-1)).toBe('a runs again.');
});

test('a start that fails is tried again until it works', async () => {
  let attempts = 0;
  const flaky = part('a');
  await fleet.add({
    ...flaky,
    start: () => (++attempts > 1 && attempts < 5 ? Promise.reject(new Error(`no, ${attempts}`)) : flaky.start()),
  });
  process.kill(pidOf('a'), 'SIGKILL');
  await waitUntil(() => restarts === 1);
  expect(lines.filter((line) => line.startsWith('no, '))).toEqual(['no, 2', 'no, 3', 'no, 4']);
});

test('parts stop last first, each gone before the next is asked', async () => {
  const order: string[] = [];
  for (const name of ['a', 'b', 'c']) await fleet.add(part(name));
  const pids = fleet.pids();
  await fleet.stop((line) => order.push(`${line} ${Object.values(pids).filter(isProcessAlive).length}`));
  expect(order).toEqual(['Stopping c … 3', 'Stopping b … 2', 'Stopping a … 1']);
  expect(Object.values(pids).some(isProcessAlive)).toBe(false);
});

test('a part that ignores the signal is killed after its grace', async () => {
  const ready = join(folder, 'a.log');
  await fleet.add(part('a', "process.on('SIGTERM', () => {}); console.log('deaf');"));
  await waitUntil(() => readFileSync(ready, 'utf8').includes('deaf'));
  const pid = pidOf('a');
  await fleet.stop(() => undefined);
  expect(await isGoneWithin(pid, 1_000)).toBe(true);
});

test('nothing is started once stopping began, and what was starting is ended', async () => {
  const slow = part('a');
  let started = 0;
  const adding = fleet.add({
    ...slow,
    start: async () => {
      const running = await slow.start();
      await fleet.stop(() => undefined);
      started = running.pid;
      return running;
    },
  });
  await expect(adding).rejects.toThrow(/Stopped before/);
  expect(isProcessAlive(started)).toBe(false);
  await expect(fleet.add(part('b'))).rejects.toThrow(/Stopped before/);
});

function part(name: string, code = ''): Part {
  const logFile = join(folder, `${name}.log`);
  return {
    name,
    stop: { signal: 'SIGTERM', graceMs: 300 },
    lastWords: () => readFileSync(logFile, 'utf8').trim(),
    start: async () => {
      const args = ['-e', `${code} setInterval(() => {}, 1000); process.stdout.write('');`];
      const running = await startChild({ name, args, cwd: folder, env: process.env, logFile });
      if (code !== '') await waitUntil(() => readFileSync(logFile, 'utf8') !== '');
      return running;
    },
  };
}

function pidOf(name: string): number {
  const pid = fleet.pids()[name];
  if (pid === undefined) throw new Error(`no part ${name}`);
  return pid;
}
