import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

/** Accounts of the provider by login name. */
export type Accounts = Readonly<Record<string, { readonly name: string; readonly groups: readonly string[] }>>;

/** A free port that was open a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** A real OpenID Connect provider on this machine that knows one client: the console at `consoleUrl`. */
export async function startIdentityProvider(consoleUrl: string, accounts: Accounts) {
  const port = await freePort();
  const issuer = `http://127.0.0.1:${port}`;
  const client = { id: 'habitat', secret: 'a-secret-of-the-sign-in-test' };
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: [`${consoleUrl}/api/auth/callback/oidc`],
        grant_types: ['authorization_code'],
      },
    ],
    scopes: ['openid', 'email', 'profile', 'groups'],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'] },
    conformIdTokenClaims: false,
    cookies: { keys: ['cookies-of-the-sign-in-test'] },
    findAccount: async (_context, id) => ({
      accountId: id,
      claims: async () => ({
        sub: id,
        email: `${id}@example.com`,
        email_verified: true,
        name: accounts[id]?.name ?? id,
        groups: accounts[id]?.groups ?? [],
      }),
    }),
  });
  const server = createServer(provider.callback()).listen(port, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    env: { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: client.id, OIDC_CLIENT_SECRET: client.secret },
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
