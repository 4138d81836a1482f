import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, vi } from 'vitest';

export interface TokenIssuer {
  /** Checks the tokens' signatures. */
  readonly publicKey: KeyObject;
  /** The audience of each request, in order. */
  readonly asked: readonly string[];
  /** From now on requests for this audience are refused with this text; null serves all again. */
  refuse(refusal: { readonly audience?: string; readonly text: string } | null): void;
  /** Whether requests are left without an answer. */
  hang(isHanging: boolean): void;
}

const SECRET = 'the-identity-header';
const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });

/**
 * The endpoint of a managed identity as App Service offers it, on this machine, named by the environment of this process
 * until the file's tests end. One per file: Azure's library remembers where it found the first. https://learn.microsoft.com/azure/app-service/overview-managed-identity#rest-endpoint-reference.
 */
export async function startTokenIssuer(lifetimeS = 3_600): Promise<TokenIssuer> {
  const asked: string[] = [];
  let refusal: { readonly audience?: string; readonly text: string } | null = null;
  let isHanging = false;
  const server = createServer((request, response) => {
    const audience = new URL(request.url ?? '/', 'http://x').searchParams.get('resource') ?? '';
    asked.push(audience);
    if (isHanging) return;
    response.setHeader('content-type', 'application/json');
    if (request.headers['x-identity-header'] !== SECRET) return void response.writeHead(401).end('{}');
    if (refusal !== null && (refusal.audience ?? audience) === audience) {
      const body = { error: 'invalid_resource', error_description: refusal.text, message: refusal.text };
      return void response.writeHead(400).end(JSON.stringify(body));
    }
    const expiresAtS = Math.floor(Date.now() / 1_000) + lifetimeS;
    const body = { access_token: newToken(audience, expiresAtS), expires_on: String(expiresAtS), resource: audience };
    response.end(JSON.stringify({ ...body, token_type: 'Bearer' }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  vi.stubEnv('IDENTITY_ENDPOINT', `http://127.0.0.1:${port}/msi/token`);
  vi.stubEnv('IDENTITY_HEADER', SECRET);
  vi.stubEnv('AZURE_TOKEN_CREDENTIALS', 'prod');
  afterAll(() => {
    vi.unstubAllEnvs();
    server.closeAllConnections();
    server.close();
  });
  return {
    publicKey,
    asked,
    refuse: (next) => {
      refusal = next;
    },
    hang: (next) => {
      isHanging = next;
    },
  };
}

/** A token as Entra ID signs them: a JWT with RS256. */
export function newToken(audience: string, expiresAtS: number, key = privateKey): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = { aud: audience, iss: 'https://sts.windows.net/test/', exp: expiresAtS, iat: expiresAtS - 3_600 };
  const signed = `${part({ alg: 'RS256', typ: 'JWT' })}.${part(claims)}`;
  return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`;
}
