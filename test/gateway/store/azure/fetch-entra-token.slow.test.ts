import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { createFetchEntraToken } from '#gateway/store/azure/fetch-entra-token.ts';
import { startTokenIssuer, type TokenIssuer } from '#test/gateway/store/azure/token-issuer.ts';

let issuer: TokenIssuer;
beforeAll(async () => {
  issuer = await startTokenIssuer();
});
afterEach(() => {
  issuer.refuse(null);
  issuer.hang(false);
  vi.stubEnv('AZURE_TOKEN_CREDENTIALS', 'prod');
});

const soon = () => AbortSignal.timeout(10_000);
/** Azure's library keeps tokens for the life of the process, so each test asks for an account of its own. */
const fetchFor = (name: string, signal = soon()) =>
  createFetchEntraToken(`https://${name}.documents.azure.com:443/`)(signal);

it('a managed identity gets a token for the account', async () => {
  const token = await fetchFor('shop');
  const claims = JSON.parse(Buffer.from(token.token.split('.')[1] ?? '', 'base64url').toString());
  expect(claims.aud).toBe('https://shop.documents.azure.com');
  expect(token.expiresOnTimestamp).toBeGreaterThan(Date.now() + 3_000_000);
  expect(issuer.asked).toEqual(['https://shop.documents.azure.com']);
});

it('where Entra ID does not know the account by name, the audience of all accounts is asked for', async () => {
  const audience = 'https://unknown.documents.azure.com';
  issuer.refuse({ audience, text: `AADSTS500011: The resource principal named ${audience} was not found.` });
  await fetchFor('unknown');
  expect(issuer.asked.slice(-2)).toEqual([audience, 'https://cosmos.azure.com']);
});

it('a refusal of Entra ID is told in its own words, without their trace', async () => {
  const reason = "AADSTS700016: Application with identifier 'x' was not found in the directory.";
  issuer.refuse({ text: `${reason}\r\nTrace ID: 1\r\nCorrelation ID: 2` });
  await expect(fetchFor('refused')).rejects.toThrow(new Error(reason));
});

it('an issuer that does not answer is given up when the signal says so', async () => {
  issuer.hang(true);
  await expect(fetchFor('silent', AbortSignal.timeout(50))).rejects.toThrow('it did not answer in time.');
});

it('a machine without an identity is told what to set', async () => {
  vi.stubEnv('AZURE_TOKEN_CREDENTIALS', 'EnvironmentCredential');
  const fetching = fetchFor('nobody');
  await expect(fetching).rejects.toThrow(/no identity is set up .* AZURE_CLIENT_SECRET/);
});

it('a misspelt AZURE_TOKEN_CREDENTIALS is told', async () => {
  vi.stubEnv('AZURE_TOKEN_CREDENTIALS', 'managed');
  await expect(fetchFor('misspelt')).rejects.toThrow(/Invalid value for AZURE_TOKEN_CREDENTIALS/);
});
