import {
  constants,
  generateKeyPairSync,
  type KeyObject,
  privateDecrypt,
  publicEncrypt,
  randomBytes,
} from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { z } from 'zod';
import { selfSigned } from '#test/support/self-signed.ts';

/** Azure Key Vault as its client sees it: get, wrapKey, unwrapKey and delete of RSA keys over HTTPS. */
export interface TestVault {
  readonly url: string;
  readonly cert: string;
  /** What came in, `POST wrapkey habitat-chat`. */
  readonly calls: string[];
  /** Makes a key, or another version of it. */
  makeKey(name: string): void;
  /** Answers everything with this instead. */
  instead: { readonly status: number; readonly code: string } | 'cut' | null;
  close(): Promise<void>;
}

export const VAULT_TOKEN = 'a token of Entra ID';
const API_VERSION = '2025-07-01';
const Body = z.object({ alg: z.literal('RSA-OAEP-256'), value: z.base64url() });
const PADDING = { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' } as const;

interface Version {
  readonly id: string;
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

export async function startTestVault(): Promise<TestVault> {
  const certificate = selfSigned('localhost');
  const keys = new Map<string, Version[]>();
  const server = createServer(certificate, (request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const vault: TestVault = {
    url: `https://localhost:${port}`,
    cert: certificate.cert,
    calls: [],
    instead: null,
    makeKey: (name) => {
      const id = `${vault.url}/keys/${name}/${randomBytes(16).toString('hex')}`;
      keys.set(name, [...(keys.get(name) ?? []), { id, ...generateKeyPairSync('rsa', { modulusLength: 2_048 }) }]);
    },
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const send = (status: number, body: object, headers: Record<string, string> = {}) =>
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
    const fail = (status: number, code: string) => send(status, { error: { code, message: `${code} of the vault` } });
    if (vault.instead === 'cut') return void request.socket.destroy();
    if (request.headers.authorization !== `Bearer ${VAULT_TOKEN}`) {
      const challenge = 'Bearer authorization="https://login.test/tenant", resource="https://vault.azure.net"';
      return void send(401, { error: { code: 'Unauthorized' } }, { 'www-authenticate': challenge });
    }
    const { pathname, searchParams } = new URL(request.url ?? '', vault.url);
    const [, , name = '', version = '', act = 'key'] = pathname.split('/');
    vault.calls.push(`${request.method} ${act} ${name}`);
    if (vault.instead !== null) return void fail(vault.instead.status, vault.instead.code);
    if (searchParams.get('api-version') !== API_VERSION) return void fail(400, 'BadParameter');
    const versions = keys.get(name) ?? [];
    const found = version === '' ? versions.at(-1) : versions.find(({ id }) => id.endsWith(`/${version}`));
    if (found === undefined) return void fail(404, 'KeyNotFound');
    if (request.method === 'DELETE') {
      keys.delete(name);
      return void send(200, { ...bundleOf(found), recoveryId: `${vault.url}/deletedkeys/${name}` });
    }
    if (act === 'key') return void send(200, bundleOf(found));
    const { value } = Body.parse(await json(request));
    const bytes = Buffer.from(value, 'base64url');
    const { publicKey, privateKey } = found;
    const result =
      act === 'wrapkey'
        ? publicEncrypt({ key: publicKey, ...PADDING }, bytes)
        : privateDecrypt({ key: privateKey, ...PADDING }, bytes);
    send(200, { kid: found.id, value: result.toString('base64url') });
  }

  return vault;
}

function bundleOf({ id, publicKey }: Version): object {
  const { n, e } = publicKey.export({ format: 'jwk' });
  const operations = ['wrapKey', 'unwrapKey'];
  return { key: { kid: id, kty: 'RSA', key_ops: operations, n, e }, attributes: { enabled: true } };
}
