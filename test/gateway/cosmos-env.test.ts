import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readCosmosEnv } from '#gateway/cosmos-env.ts';

const AZURE = { COSMOS_ENDPOINT: 'https://shop.documents.azure.com:443/' };
const KEY = Buffer.alloc(64, 7).toString('base64');

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'habitat-cosmos-env-'));
  writeFileSync(join(dir, 'key'), `${KEY}\n`);
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

test('without settings the account is the local endpoint, with the key that Microsoft published', () => {
  const env = readCosmosEnv({});
  expect(env).toMatchObject({ endpoint: 'http://127.0.0.1:8081', credential: { kind: 'key' }, preferredRegions: [] });
  expect(readCosmosEnv({ COSMOS_KEY: '', COSMOS_AUTH: '', COSMOS_REGIONS: '' })).toEqual(env);
});

test('a key comes from the environment or from a file', () => {
  const credential = { kind: 'key', key: KEY };
  expect(readCosmosEnv({ ...AZURE, COSMOS_KEY: KEY }).credential).toEqual(credential);
  expect(readCosmosEnv({ ...AZURE, COSMOS_KEY_FILE: join(dir, 'key') }).credential).toEqual(credential);
  expect(readCosmosEnv({ ...AZURE, COSMOS_KEY: KEY, COSMOS_AUTH: 'key' }).credential).toEqual(credential);
});

test('Entra ID needs no key; its tokens go over TLS, or to this machine', () => {
  expect(readCosmosEnv({ ...AZURE, COSMOS_AUTH: 'entra' }).credential).toEqual({ kind: 'entra' });
  const local = { COSMOS_ENDPOINT: 'http://localhost:8081', COSMOS_AUTH: 'entra' };
  expect(readCosmosEnv(local).credential).toEqual({ kind: 'entra' });
});

test('regions are named nearest first', () => {
  const env = readCosmosEnv({ COSMOS_REGIONS: ' West Europe, North Europe ,' });
  expect(env.preferredRegions).toEqual(['West Europe', 'North Europe']);
});

test('point reads leave as requests of the gateway unless the SDK is to send them', () => {
  expect(readCosmosEnv({}).pointReads).toBe('rest');
  expect(readCosmosEnv({ COSMOS_POINT_READS: 'sdk' }).pointReads).toBe('sdk');
});

test.each([
  ['a way to read that is none', { COSMOS_POINT_READS: 'tcp' }, /^COSMOS_POINT_READS is "tcp"; it is "rest" or "sdk"/],
  ['an address that is none', { COSMOS_ENDPOINT: 'shop' }, /^COSMOS_ENDPOINT is "shop", which is no http/],
  ['no key', AZURE, /^COSMOS_ENDPOINT is set but COSMOS_KEY is not: .*COSMOS_AUTH=entra/],
  ['two keys', { ...AZURE, COSMOS_KEY: KEY, COSMOS_KEY_FILE: '/key' }, /^COSMOS_KEY and COSMOS_KEY_FILE are both set/],
  [
    'a file that is not there',
    { ...AZURE, COSMOS_KEY_FILE: '/none' },
    /^COSMOS_KEY_FILE: the file \/none .*\(ENOENT\)/,
  ],
  ['a key that is none', { ...AZURE, COSMOS_KEY: 'secret-word!' }, /^COSMOS_KEY is no base64 text\.$/],
  [
    'a connection string',
    { ...AZURE, COSMOS_KEY: `AccountEndpoint=https://x/;AccountKey=${KEY};` },
    /^COSMOS_KEY is a connection string; give its AccountKey alone\.$/,
  ],
  ['a way to sign in that is none', { ...AZURE, COSMOS_AUTH: 'aad' }, /^COSMOS_AUTH is "aad"; it is "key" or "entra"/],
  [
    'a key beside Entra ID',
    { ...AZURE, COSMOS_KEY: KEY, COSMOS_AUTH: 'entra' },
    /^COSMOS_AUTH is entra, but a COSMOS_KEY/,
  ],
  [
    'Entra ID without TLS',
    { COSMOS_ENDPOINT: 'http://shop.example', COSMOS_AUTH: 'entra' },
    /^COSMOS_AUTH is entra, so COSMOS_ENDPOINT is an https address; it is "http:\/\/shop\.example"/,
  ],
])('%s is refused in one sentence that shows no key', (_, source, sentence) => {
  expect(() => readCosmosEnv(source)).toThrow(sentence);
  expect(() => readCosmosEnv(source)).not.toThrow(KEY);
});
