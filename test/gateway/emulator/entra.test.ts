import { generateKeyPairSync } from 'node:crypto';
import { CosmosClient } from '@azure/cosmos';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { refusal, startTestEmulator, type TestEmulator } from '#test/gateway/emulator/with-emulator.ts';
import { newToken } from '#test/gateway/store/azure/token-issuer.ts';

const ours = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const stranger = generateKeyPairSync('rsa', { modulusLength: 2_048 });

let test: TestEmulator;
beforeAll(async () => {
  const entraPublicKey = ours.publicKey.export({ type: 'spki', format: 'pem' }).toString();
  test = await startTestEmulator({ entraPublicKey });
  await test.container('c');
});
afterAll(() => test.close());

interface TokenChange {
  readonly audience?: string;
  readonly expiresInS?: number;
  readonly key?: typeof ours.privateKey;
}

/** A client that signs with a token, as the gateway does. */
function clientWith({ audience = test.emulator.url, expiresInS = 3_600, key = ours.privateKey }: TokenChange) {
  const token = newToken(audience, Math.floor(Date.now() / 1_000) + expiresInS, key);
  const tokenProvider = async () => `type=aad&ver=1.0&sig=${token}`;
  return new CosmosClient({ endpoint: test.emulator.url, tokenProvider });
}

const read = (change: TokenChange) => clientWith(change).database('test').container('c').item('none', 'p').read();

it('a token for the account, or for all accounts, reads and writes items', async () => {
  expect((await read({})).statusCode).toBe(404);
  const container = clientWith({ audience: 'https://cosmos.azure.com' }).database('test').container('c');
  expect((await container.items.create({ id: 'i', pk: 'p' })).statusCode).toBe(201);
  expect((await container.item('i', 'p').read()).resource).toMatchObject({ id: 'i' });
  expect((await container.read()).resource?.id).toBe('c');
});

it.each<[string, TokenChange, RegExp]>([
  ['signed by someone else', { key: stranger.privateKey }, /not signed by the key/],
  ['for another account', { audience: 'https://other.documents.azure.com' }, /is for https:\/\/other/],
  ['that has expired', { expiresInS: -1 }, /not valid at the current time/],
])('a token %s is 401', async (_, change, message) => {
  expect(await refusal(read(change))).toMatchObject({ code: 401, message: expect.stringMatching(message) });
});

it('with a token nobody makes or removes databases and containers, as in the service', async () => {
  const client = clientWith({});
  const forbidden = { code: 403, substatus: 5300 };
  expect(await refusal(client.databases.create({ id: 'new' }))).toMatchObject(forbidden);
  expect(await refusal(client.database('test').containers.create({ id: 'new' }))).toMatchObject(forbidden);
  expect(await refusal(client.database('test').container('c').delete())).toMatchObject(forbidden);
});

it('an endpoint without a key for tokens accepts none', async () => {
  const plain = await startTestEmulator();
  const token = newToken(plain.emulator.url, Date.now(), ours.privateKey);
  const client = new CosmosClient({
    endpoint: plain.emulator.url,
    tokenProvider: async () => `type=aad&ver=1.0&sig=${token}`,
  });
  expect(await refusal(client.getDatabaseAccount())).toMatchObject({ code: 401 });
  await plain.close();
});
