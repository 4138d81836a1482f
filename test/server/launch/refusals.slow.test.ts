import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { testServerUrl } from '#test/support/postgres.ts';

// The real launcher, started wrongly: it says one sentence, exits with 1 and leaves no process.
const root = resolve(import.meta.dirname, '..', '..', '..');
let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'habitat-refusal-'));
});

afterEach(() => {
  chmodSync(home, 0o700);
  rmSync(home, { recursive: true });
});

test('a taken port is named with its variable and its holder', async () => {
  const holder = createServer();
  await new Promise<void>((done) => holder.listen(0, '127.0.0.1', done));
  const address = holder.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  try {
    for (const variable of ['CONSOLE_PORT', 'GATEWAY_PORT', 'COSMOS_PORT']) {
      const text = await refusal({ [variable]: String(port) });
      expect(text).toMatch(new RegExp(`^Port ${port} is taken.*set ${variable} to another port`));
      if (process.platform === 'linux') expect(text).toContain(`pid ${process.pid}`);
    }
  } finally {
    holder.close();
  }
});

test('a port that is no port is named', async () => {
  expect(await refusal({ GATEWAY_PORT: 'https' })).toMatch(/^GATEWAY_PORT is "https"/);
  expect(await refusal({ CONSOLE_PORT: '70000' })).toMatch(/^CONSOLE_PORT is "70000"/);
});

test('a home that cannot be written is named', async () => {
  const file = join(home, 'file');
  writeFileSync(file, '');
  expect(await refusal({ HABITAT_HOME: join(file, 'home') })).toMatch(/is not writable: set HABITAT_HOME/);
});

test.runIf(process.getuid?.() === 0)('a home of another user is named', async () => {
  const theirs = join(home, 'theirs');
  mkdirSync(theirs, { mode: 0o700 });
  chmodSync(home, 0o755);
  expect(await refusal({ HABITAT_HOME: theirs }, { uid: 65_534 })).toMatch(/theirs is not writable: set HABITAT_HOME/);
});

test('a wrong DATABASE_URL says what is wrong and never shows the password', async () => {
  const server = new URL(await testServerUrl());
  const at = (change: (url: URL) => void) => {
    const url = new URL(server);
    change(url);
    return refusal({ DATABASE_URL: url.href });
  };
  const password = await at((url) => {
    url.password = 'wrong-secret';
  });
  expect(password).toMatch(/refuses user "habitat" with this password/);
  expect(password).not.toContain('wrong-secret');
  expect(await at((url) => (url.pathname = '/nowhere'))).toMatch(/has no database "nowhere"/);
  expect(await refusal({ DATABASE_URL: 'postgresql://a:b@127.0.0.1:1/x' })).toMatch(
    /no PostgreSQL answers at 127.0.0.1:1/,
  );
  expect(await refusal({ DATABASE_URL: 'mysql://a:b@127.0.0.1/x' })).toMatch(/is no PostgreSQL address/);
});

test('a half-set Cosmos account and a half-set OIDC client are refused', async () => {
  expect(await refusal({ COSMOS_ENDPOINT: 'https://a.documents.azure.com' })).toMatch(/COSMOS_KEY is not/);
  expect(await refusal({ COSMOS_KEY: 'key' })).toMatch(/COSMOS_ENDPOINT is not/);
  expect(await refusal({ OIDC_ISSUER: 'https://id.example.com' })).toMatch(/OIDC_CLIENT_ID is not/);
});

test('an unknown option is refused', async () => {
  expect(await refusal({}, {}, ['--prod'])).toMatch(/--prod is no option/);
});

/** What the launcher says when it refuses. Fails when it does not refuse, or leaves anything running or claimed. */
async function refusal(
  env: Readonly<Record<string, string>>,
  account: { readonly uid?: number } = {},
  args: readonly string[] = [],
): Promise<string> {
  const ports = { CONSOLE_PORT: '0', GATEWAY_PORT: '0', COSMOS_PORT: '0' };
  const child = spawn(process.execPath, [join(root, 'server/launch/main.ts'), ...args], {
    cwd: root,
    env: { NODE_ENV: 'production', PATH: process.env.PATH ?? '', HABITAT_HOME: home, ...ports, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...account,
  });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  // `close` comes when every process that holds the pipe is gone.
  const code = await new Promise((done) => child.once('close', done));
  expect(code, output).toBe(1);
  expect(readdirSync(home)).not.toContain('launcher.lock');
  return output.trim();
}
