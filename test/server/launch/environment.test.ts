import { afterEach, expect, test, vi } from 'vitest';
import {
  type Addresses,
  consoleEnvironment,
  cosmosEnvironment,
  gatewayEnvironment,
} from '#server/launch/environment.ts';
import { readSettings } from '#server/launch/settings.ts';

const LOCAL = readSettings({ HABITAT_HOME: '/data/habitat' }, []);
const AZURE = {
  COSMOS_ENDPOINT: 'https://a.documents.azure.com',
  COSMOS_AUTH: 'entra',
  COSMOS_REGIONS: 'West US,East US',
};

const at = (more: Partial<Addresses> = {}): Addresses => ({
  consolePort: 3_000,
  gatewayPort: 4_000,
  consoleUrl: 'http://127.0.0.1:3000',
  gatewayUrl: 'http://127.0.0.1:4000',
  cosmosUrl: 'http://127.0.0.1:8081',
  cosmosAdminUrl: 'http://127.0.0.1:40001',
  databaseUrl: 'postgresql://127.0.0.1/habitat',
  ...more,
});

afterEach(() => void vi.unstubAllEnvs());

function stub(variables: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
}

test('the console and the local endpoint share the admin token, and no gateway has it', () => {
  const file = '/data/habitat/cosmos-admin-token';
  const shared = { COSMOS_ADMIN_TOKEN_FILE: file };
  expect(consoleEnvironment(LOCAL, at(), 's')).toMatchObject({ ...shared, COSMOS_ADMIN_URL: 'http://127.0.0.1:40001' });
  expect(cosmosEnvironment(LOCAL)).toMatchObject(shared);
  stub({ COSMOS_ADMIN_URL: 'http://127.0.0.1:1', COSMOS_ADMIN_TOKEN_FILE: '/elsewhere' });
  const gateway = gatewayEnvironment(LOCAL, at());
  expect([gateway.COSMOS_ADMIN_URL, gateway.COSMOS_ADMIN_TOKEN_FILE]).toEqual([undefined, undefined]);
});

test('with an account of Azure there is no admin port, and its variables reach the gateway as they are', () => {
  stub({ ...AZURE, COSMOS_ADMIN_URL: 'http://127.0.0.1:1' });
  const settings = readSettings(process.env, []);
  const azure = at({ cosmosUrl: AZURE.COSMOS_ENDPOINT, cosmosAdminUrl: undefined });
  expect(consoleEnvironment(settings, azure, 's').COSMOS_ADMIN_URL).toBeUndefined();
  const gateway = gatewayEnvironment(settings, azure);
  expect(gateway).toMatchObject(AZURE);
  expect(gateway.COSMOS_KEY).toBeUndefined();
});

test('the gateway of the local endpoint has its well-known key', () => {
  expect(gatewayEnvironment(LOCAL, at())).toMatchObject({
    COSMOS_ENDPOINT: 'http://127.0.0.1:8081',
    COSMOS_KEY: expect.stringMatching(/^C2y6yDjf5/),
  });
});

test.each([
  [{ COSMOS_KEY: 'k' }, /^COSMOS_KEY is set but COSMOS_ENDPOINT is not/],
  [{ COSMOS_KEY_FILE: '/k' }, /^COSMOS_KEY_FILE is set but COSMOS_ENDPOINT is not/],
  [{ COSMOS_AUTH: 'entra' }, /^COSMOS_AUTH is set but COSMOS_ENDPOINT is not/],
  [{ COSMOS_ENDPOINT: 'https://a.example' }, /^COSMOS_ENDPOINT is set but COSMOS_KEY is not: set COSMOS_KEY,/],
  [{ COSMOS_ENDPOINT: 'a.example', COSMOS_KEY: 'k' }, /^COSMOS_ENDPOINT is "a.example": it must be/],
])('%o is refused in one sentence', (source, sentence) => {
  expect(() => readSettings(source, [])).toThrow(sentence);
});

test.each([{ COSMOS_KEY: 'k' }, { COSMOS_KEY_FILE: '/k' }, { COSMOS_AUTH: 'entra' }])(
  'an account with %o starts',
  (by) => {
    const endpoint = 'https://a.documents.azure.com';
    expect(readSettings({ COSMOS_ENDPOINT: endpoint, ...by }, []).cosmosEndpoint).toBe(endpoint);
  },
);
