import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { exampleItems, makeKey } from '#test/gateway/fixtures/definitions.ts';
import { eventually } from '#test/gateway/fixtures/eventually.ts';
import { caller } from '#test/gateway/fixtures/gateway.ts';
import { type Stack, startStack } from '#test/gateway/fixtures/stack.ts';

const MAIN = createRequire(import.meta.url).resolve('#gateway/keys.ts');
const key = makeKey('chat-api');
const M = '/objects/Message';
const C = '/objects/Conversation';
let stack: Stack;

beforeAll(async () => {
  stack = await startStack(exampleItems(key));
});
afterAll(() => stack?.stop());

/** The command as a process of its own on the stack's keys. */
function keys(...args: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const env = { NODE_ENV: 'test' as const, HABITAT_KEYS_DIR: join(stack.home.dir, 'keys') };
  const child = spawn(process.execPath, [MAIN, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr })));
}

it.each([
  [[], 'Say list, rotate or destroy.'],
  [['rotate'], 'Name the tenant to rotate with --tenant.'],
  [['rotate', 'chat'], 'chat: name the tenant with --tenant.'],
  [['destroy', '--tenant', '../chat'], 'A tenant name starts with'],
  [['list', '--yes', 'chat'], '--yes belongs to destroy.'],
])('the command shows its usage and leaves with 2 for %j', async (args, message) => {
  const run = await keys(...args);
  expect(run).toMatchObject({ code: 2, stdout: '' });
  expect(run.stderr).toContain(message);
  expect(run.stderr).toContain('Usage: npm run keys');
});

it('keys rotate and die while the gateway serves', { timeout: 240_000 }, async () => {
  const call = caller(stack.gateway.url, key.token);
  await call('PUT', `${M}/m1`, { body: 'first' });
  await call('PUT', `${C}/c1/edges/messages/m1`, { body: JSON.stringify({ data: 'note' }) });

  expect((await keys('list')).stdout).toMatch(/^chat:\n {2}k1 {2}made \S+ {2}writes\n$/);
  expect(await keys('rotate', '--tenant', 'chat')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Made k2 for tenant chat\. Gateways read with it now and write with it from /),
  });
  expect((await keys('list', '--tenant', 'chat')).stdout).toMatch(/k2 {2}made \S+ {2}decrypt-only until /);
  expect((await call('GET', `${M}/m1`)).text).toBe('first');
  expect((await call('PUT', `${M}/m2`, { body: 'second' })).status).toBe(201);

  const unsure = await keys('destroy', '--tenant', 'chat', '--yes', 'other');
  expect(unsure).toMatchObject({ code: 4, stderr: 'Nothing was destroyed: confirm with --yes=chat.\n' });
  expect((await call('GET', `${M}/m1`)).text).toBe('first');
  expect(await keys('destroy', '--tenant', 'chat', '--yes', 'chat')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Destroyed k1, k2 of tenant chat.'),
  });
  const isClosed = async (...request: Parameters<typeof call>) => (await call(...request)).code === 'key_unavailable';
  // Each worker holds the key by itself: all requests of a round have to meet the refusal.
  await eventually(
    'no worker has the key any more',
    async () => (await Promise.all(Array.from({ length: 12 }, () => isClosed('GET', `${M}/m1`)))).every(Boolean),
    90_000,
  );
  expect(await isClosed('PUT', `${M}/m1`, { body: 'third' })).toBe(true);
  expect(await isClosed('GET', `${C}/c1/edges/messages`)).toBe(true);
  expect(stack.gateway.said()).toContain('The data keys of tenant chat were destroyed.');

  await stack.gateway.kill('SIGKILL');
  const again = await stack.home.start();
  const after = caller(again.url, key.token);
  await eventually('the release is served', async () => (await after('GET', `${M}/m1`)).code !== 'release_unavailable');
  expect((await after('GET', `${M}/m1`)).code).toBe('key_unavailable');
  expect((await after('PUT', `${M}/m3`, { body: 'x' })).code).toBe('key_unavailable');
  expect((await after('GET', `${C}/c1/edges/messages:count`)).body).toEqual({ count: 1 });
  expect((await after('DELETE', `${C}/c1/edges/messages/m1`)).body).toEqual({ toId: 'm1', deleted: true });
  expect((await after('DELETE', `${M}/m1`)).body).toEqual({ id: 'm1', deleted: true });
  expect((await after('GET', `${M}/m1`)).code).toBe('object_not_found');
});
