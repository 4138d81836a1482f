import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type BuildLock, lockBuild } from '#server/launch/build-lock.ts';
import { startOf } from '#server/launch/processes.ts';
import { tempFolder } from '#test/support/temp-folder.ts';
import { waitUntil } from '#test/support/wait-until.ts';

const goOn = () => undefined;

test('a second starter waits, says so once, and goes on when the first is done', async () => {
  const root = await tempFolder();
  const said: string[] = [];
  const first = await lockBuild({ root, say: goOn, refuseWhenStopping: goOn });
  let second: BuildLock | undefined;
  let polls = 0;
  const waiting = lockBuild({ root, say: (line) => said.push(line), refuseWhenStopping: () => polls++ }).then(
    (lock) => (second = lock),
  );
  await waitUntil(() => polls > 2);
  expect(second).toBeUndefined();
  first.release();
  await waiting;
  expect(said).toEqual(['Waiting for a build of the console that is under way …']);
  second?.release();
  expect(readdirSync(join(root, '.habitat-build'))).toEqual([]);
});

test('a starter that is stopped while it waits gives up at once', async () => {
  const root = await tempFolder();
  await lockBuild({ root, say: goOn, refuseWhenStopping: goOn });
  const stop = () => {
    throw new Error('stopped');
  };
  await expect(lockBuild({ root, say: goOn, refuseWhenStopping: stop })).rejects.toThrow('stopped');
});

test('a build that outlives its launcher keeps the lock until it ends', async () => {
  const root = await tempFolder();
  const build = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  const buildPid = build.pid ?? 0;
  try {
    writeLock(root, `${await gonePid()}@1 ${buildPid}@${startOf(buildPid) ?? ''}`);
    let polls = 0;
    const waiting = lockBuild({ root, say: goOn, refuseWhenStopping: () => polls++ });
    await waitUntil(() => polls > 2);
    expect(readLock(root)).toContain(`${buildPid}@`);
    build.kill('SIGKILL');
    await waiting;
    expect(readLock(root)).toBe(`${process.pid}@${startOf(process.pid) ?? ''}`);
  } finally {
    build.kill('SIGKILL');
  }
});

test.each([
  ['whose process is gone', async () => `${await gonePid()}@1`],
  ['without a holder', async () => ''],
])('a lock %s is taken over', async (_, text) => {
  const root = await tempFolder();
  writeLock(root, await text());
  await lockBuild({ root, say: goOn, refuseWhenStopping: goOn });
  expect(readLock(root)).toContain(`${process.pid}@`);
});

test.runIf(process.platform === 'linux')(
  'a lock whose process number belongs to another now is taken over',
  async () => {
    const root = await tempFolder();
    writeLock(root, `${process.ppid}@1`);
    await lockBuild({ root, say: goOn, refuseWhenStopping: goOn });
    expect(readLock(root)).toContain(`${process.pid}@`);
  },
);

function writeLock(root: string, text: string): void {
  mkdirSync(join(root, '.habitat-build'));
  writeFileSync(join(root, '.habitat-build', 'pid'), text);
}

function readLock(root: string): string {
  return readFileSync(join(root, '.habitat-build', 'pid'), 'utf8');
}

async function gonePid(): Promise<number> {
  const gone = spawn(process.execPath, ['-e', '']);
  await new Promise((done) => gone.once('exit', done));
  return gone.pid ?? 0;
}
