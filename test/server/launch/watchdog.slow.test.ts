import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { isGoneWithin, isProcessAlive, stopProcess } from '#server/launch/processes.ts';
import { startWatchdog } from '#server/launch/watchdog.ts';

const stubborn = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); process.stdout.write('up');`;

/** A parent that starts a watched child, prints the child's pid and waits. */
const parent = `
  import { spawn } from 'node:child_process';
  import { startWatchdog } from '#server/launch/watchdog.ts';
  const child = spawn(process.execPath, ['-e', ${JSON.stringify(stubborn)}], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
  child.stdout.once('data', () => {
    startWatchdog().watch([{ pid: child.pid, signal: 'SIGTERM', graceMs: 300 }]);
    process.stdout.write(String(child.pid));
  });
  setInterval(() => {}, 1000);`;

test('children end when their parent is killed with kill -9, even one that ignores the signal', async () => {
  const launcher = spawn(process.execPath, ['--input-type=module', '-e', parent], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [output] = await once(launcher.stdout, 'data');
  const child = Number(String(output));
  expect(isProcessAlive(child)).toBe(true);
  launcher.kill('SIGKILL');
  expect(await isGoneWithin(child, 10_000)).toBe(true);
});

test('a dismissed watchdog leaves what it watched alone', async () => {
  const child = spawn(process.execPath, ['-e', stubborn], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
  await once(child.stdout, 'data');
  const pid = child.pid ?? 0;
  const watchdog = startWatchdog();
  watchdog.watch([{ pid, signal: 'SIGTERM', graceMs: 100 }]);
  await watchdog.dismiss();
  expect(isProcessAlive(pid)).toBe(true);
  await stopProcess(pid, { graceMs: 50 });
  expect(isProcessAlive(pid)).toBe(false);
});

test('stopping a process takes its own children along', async () => {
  const nested = `const c = require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(stubborn)}], { stdio: ['ignore', 'pipe', 'ignore'] });
    c.stdout.once('data', () => process.stdout.write(String(c.pid))); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['-e', nested], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
  const [output] = await once(child.stdout, 'data');
  await stopProcess(child.pid ?? 0, { graceMs: 2_000 });
  expect(await isGoneWithin(Number(String(output)), 2_000)).toBe(true);
});
