import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose';
import { z } from 'zod';
import { readOrCreateFile, readOrCreateSecret } from './secret-file.ts';
import { homePaths } from './settings.ts';

const privateJwkSchema = z.object({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: z.string(),
  d: z.string(),
  kid: z.string().optional(),
});

/**
 * Makes what the console and the gateway must share or keep, at first start, each in a 0600 file: the secret of
 * sessions, the secret of the fleet, the gateway's token, the token of the local Cosmos endpoint's admin port, the key
 * that signs releases and the keys to trust.
 * Files that exist are never touched, so an operator may replace any of them.
 */
export async function ensureSecrets(home: string): Promise<{ readonly sessionSecret: string }> {
  const paths = homePaths(home);
  readOrCreateSecret(paths.fleetSecret);
  readOrCreateSecret(paths.gatewayToken);
  readOrCreateSecret(paths.cosmosAdminToken);
  const fresh = await makeSigningKey();
  const signingKey: unknown = JSON.parse(readOrCreateFile(paths.signingKey, () => JSON.stringify(fresh)));
  const trusted = await trustedKey(privateJwkSchema.parse(signingKey));
  readOrCreateFile(paths.trust, () => JSON.stringify({ keys: [trusted] }, undefined, 2));
  return { sessionSecret: readOrCreateSecret(paths.sessionSecret) };
}

async function makeSigningKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
  const jwk = await exportJWK(privateKey);
  return { ...jwk, kid: await calculateJwkThumbprint(jwk) };
}

async function trustedKey({ kty, crv, x, kid }: z.infer<typeof privateJwkSchema>): Promise<JWK> {
  const publicPart = { kty, crv, x };
  return { ...publicPart, kid: kid ?? (await calculateJwkThumbprint(publicPart)), alg: 'EdDSA', use: 'sig' };
}
