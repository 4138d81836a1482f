import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readEnv } from '#gateway/env.ts';

let dir: string;
let good: Record<string, string>;

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'habitat-env-'));
  const file = (name: string, text: string) => {
    writeFileSync(join(dir, name), text);
    return join(dir, name);
  };
  good = {
    HABITAT_GATEWAY_TOKEN_FILE: file('token', 'secret\n'),
    HABITAT_TRUST_FILE: file('trust', '{"keys":[{"kty":"OKP"}]}'),
    HABITAT_FLEET_SECRET_FILE: file('fleet', `${'f'.repeat(43)}\n`),
    HABITAT_HOME: dir,
  };
  file('empty', '');
  file('short', 'short');
  file('nothing', '{"keys":[]}');
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

test('without settings the gateway expects what npm start makes under HABITAT_HOME', () => {
  expect(readEnv(good)).toMatchObject({
    consoleUrl: 'http://127.0.0.1:3000',
    host: '127.0.0.1',
    port: 4_000,
    workers: 2,
    cacheMb: 64,
    name: 'gw-a',
    token: 'secret',
    cosmos: { endpoint: 'http://127.0.0.1:8081', credential: { kind: 'key' }, preferredRegions: [] },
    keysDir: join(dir, 'keys'),
    stateDir: join(dir, 'gateway'),
    parentPipe: false,
  });
});

describe('one clear sentence for', () => {
  test.each([
    ['a URL that is none', { CONSOLE_URL: 'localhost:3000' }, /^CONSOLE_URL is "localhost:3000", which is no http/],
    [
      'a port out of range',
      { GATEWAY_PORT: '70000' },
      /^GATEWAY_PORT is "70000"; it is a whole number from 0 to 65535/,
    ],
    ['more cache than a worker can have', { GATEWAY_CACHE_MB: '4096' }, /^GATEWAY_CACHE_MB is "4096"/],
    ['no workers', { GATEWAY_WORKERS: '0' }, /^GATEWAY_WORKERS is "0"/],
    ['a name with capitals', { GATEWAY_NAME: 'GW' }, /^GATEWAY_NAME is "GW"/],
    ['a missing token file', { HABITAT_GATEWAY_TOKEN_FILE: '/none' }, /^HABITAT_GATEWAY_TOKEN_FILE: .*\(ENOENT\)/],
    ['an empty token file', { HABITAT_GATEWAY_TOKEN_FILE: 'empty' }, /^HABITAT_GATEWAY_TOKEN_FILE: .* is empty/],
    [
      'a trust file without keys',
      { HABITAT_TRUST_FILE: 'nothing' },
      /^HABITAT_TRUST_FILE: the file is no JSON Web Key Set/,
    ],
    ['a short fleet secret', { HABITAT_FLEET_SECRET_FILE: 'short' }, /^HABITAT_FLEET_SECRET_FILE: .*shorter than 32/],
  ])('%s', (_, over, sentence) => {
    const entries = Object.entries(over).map(([name, value]) => [
      name,
      name.endsWith('_FILE') && !value.startsWith('/') ? join(dir, value) : value,
    ]);
    expect(() => readEnv({ ...good, ...Object.fromEntries(entries) })).toThrow(sentence);
  });
});

test('a port that is taken ends the process with one sentence and code 1', async () => {
  const server = createServer();
  const port = await new Promise<number>((done) =>
    server.listen({ host: '127.0.0.1', port: 0 }, () => {
      const address = server.address();
      done(typeof address === 'object' && address !== null ? address.port : 0);
    }),
  );
  const main = resolve(import.meta.dirname, '../../gateway/main.ts');
  const env = { ...process.env, ...good, GATEWAY_PORT: String(port) };
  const { status, stderr, stdout } = spawnSync(process.execPath, [main], { env, encoding: 'utf8' });
  server.close();
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toBe(
    `GATEWAY_PORT: port ${port} is taken; set GATEWAY_PORT to another one, or to 0 for a free one.\n`,
  );
});
