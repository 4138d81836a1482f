import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { expect, it, onTestFinished } from 'vitest';
import { startTestEmulator } from '#test/gateway/emulator/with-emulator.ts';

const MAIN = createRequire(import.meta.url).resolve('#gateway/cosmos-setup.ts');

interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The command as a process of its own, with this environment and no other. */
function setup(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Run> {
  const child = spawn(process.execPath, [MAIN, ...args], { env: { NODE_ENV: 'test', ...env } });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr })));
}

it('the command leaves with 1 before, and with 0 after the change', async () => {
  const { emulator, close } = await startTestEmulator();
  onTestFinished(close);
  const env = { COSMOS_ENDPOINT: emulator.url, COSMOS_KEY: emulator.key };
  const asked = await setup([], env);
  expect(asked).toMatchObject({ code: 1, stderr: '' });
  expect(asked.stdout).toMatch(
    /^Account http:\/\/127\.0\.0\.1:\d+\nConsistency is .*\nNothing was changed\..*--yes\.\n$/s,
  );
  const done = await setup(['--yes', '--max-ru', '1000'], env);
  expect(done).toMatchObject({ code: 0, stdout: expect.stringMatching(/\nDone\.\n$/), stderr: '' });
  expect(await setup([], env)).toMatchObject({ code: 0, stdout: expect.stringMatching(/\nNothing to change\.\n$/) });
});

it.each<[string, readonly string[], Record<string, string>, string]>([
  ['an unknown option', ['--force'], {}, "Unknown option '--force'"],
  ['request units that autoscale does not know', ['--max-ru', '1500'], {}, '--max-ru is "1500"; it is a multiple'],
  ['settings that are wrong', [], { COSMOS_AUTH: 'aad' }, 'COSMOS_AUTH is "aad"; it is "key" or "entra".'],
])('the command shows its usage and leaves with 2 for %s', async (_, args, env, message) => {
  const run = await setup(args, env);
  expect(run).toMatchObject({ code: 2, stdout: '' });
  expect(run.stderr).toContain(message);
  expect(run.stderr).toContain('Usage: npm run cosmos:setup');
});

it('the command leaves with 4 when the account cannot be reached', async () => {
  const run = await setup([], {
    COSMOS_ENDPOINT: 'http://127.0.0.1:1',
    COSMOS_KEY: Buffer.alloc(64).toString('base64'),
  });
  expect(run.code).toBe(4);
  expect(run.stdout).toContain('The account cannot be reached: Nothing listens on 127.0.0.1:1. (ECONNREFUSED)');
});
