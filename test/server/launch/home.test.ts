import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importJWK, jwtVerify, SignJWT } from 'jose';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lockHome, prepareHome } from '#server/launch/home.ts';
import { ensureSecrets } from '#server/launch/secrets.ts';
import { homePaths } from '#server/launch/settings.ts';

let home: string;

beforeEach(() => {
  home = join(mkdtempSync(join(tmpdir(), 'habitat-home-')), 'home');
  prepareHome(home);
});

afterEach(() => rmSync(join(home, '..'), { recursive: true }));

test('secrets are made once, readable by their owner only, and never replaced', async () => {
  const first = await ensureSecrets(home);
  const paths = homePaths(home);
  const files = [
    ...[paths.sessionSecret, paths.fleetSecret, paths.gatewayToken, paths.cosmosAdminToken],
    ...[paths.signingKey, paths.trust],
  ];
  const contents = files.map((file) => readFileSync(file, 'utf8'));
  expect(files.map((file) => statSync(file).mode & 0o777)).toEqual(files.map(() => 0o600));
  expect(await ensureSecrets(home)).toEqual(first);
  expect(files.map((file) => readFileSync(file, 'utf8'))).toEqual(contents);
  expect(Buffer.from(first.sessionSecret, 'base64url')).toHaveLength(32);
});

test('two starters at once share one set of secrets', async () => {
  const [one, two] = await Promise.all([ensureSecrets(home), ensureSecrets(home)]);
  expect(one).toEqual(two);
});

test('what the signing key signs, the trusted key verifies; the trusted file holds no private part', async () => {
  await ensureSecrets(home);
  const paths = homePaths(home);
  const signingKey = JSON.parse(readFileSync(paths.signingKey, 'utf8'));
  const [trusted] = JSON.parse(readFileSync(paths.trust, 'utf8')).keys;
  const token = await new SignJWT({}).setProtectedHeader({ alg: 'EdDSA' }).sign(await importJWK(signingKey, 'EdDSA'));
  await expect(jwtVerify(token, await importJWK(trusted, 'EdDSA'))).resolves.toBeDefined();
  expect(trusted).toMatchObject({ kid: signingKey.kid, alg: 'EdDSA' });
  expect(trusted.d).toBeUndefined();
});

test('a lock of a process that is gone is taken over, and released by its owner only', async () => {
  const { lock } = homePaths(home);
  const gone = spawn(process.execPath, ['-e', '']);
  await new Promise((done) => gone.once('exit', done));
  writeFileSync(lock, JSON.stringify({ pid: gone.pid }));
  const unlock = await lockHome(home, undefined);
  expect(JSON.parse(readFileSync(lock, 'utf8'))).toMatchObject({ pid: process.pid });
  unlock();
  expect(existsSync(lock)).toBe(false);
});

test('a lock of a live launcher is respected', async () => {
  const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', 'launch/main.ts'], { stdio: 'ignore' });
  try {
    writeFileSync(homePaths(home).lock, JSON.stringify({ pid: other.pid }));
    await expect(lockHome(home, undefined)).rejects.toThrow(`already runs on ${home} (pid ${other.pid})`);
  } finally {
    other.kill();
  }
});

test('logs of the last run are kept beside the new ones', () => {
  const log = join(homePaths(home).logs, 'gateway.log');
  writeFileSync(log, 'yesterday\n');
  prepareHome(home);
  expect(existsSync(log)).toBe(false);
  expect(readFileSync(`${log}.1`, 'utf8')).toBe('yesterday\n');
});
