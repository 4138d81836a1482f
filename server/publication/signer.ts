import 'server-only';
import { readFileSync } from 'node:fs';
import { CompactSign, calculateJwkThumbprint, exportJWK, importJWK, type JWK } from 'jose';
import { z } from 'zod';

/** Signs releases and manifests with the installation's Ed25519 key. */
export interface Signer {
  /** Names the key in the protected header of every signature. */
  readonly kid: string;
  readonly publicJwk: JWK;
  /** A compact JWS (EdDSA, RFC 8037) over the UTF-8 bytes of `payload`. */
  sign(payload: string): Promise<string>;
}

/** Reads the private key, a JWK in a file that only the console may read. */
export async function readSigner(file: string): Promise<Signer> {
  return createSigner(PrivateJwk.parse(JSON.parse(readFileSync(file, 'utf8'))));
}

/** A signer from a private Ed25519 JWK. Without `kid` the key is named by its thumbprint (RFC 7638). */
export async function createSigner(jwk: z.input<typeof PrivateJwk>): Promise<Signer> {
  const { d, kid: named, ...publicPart } = PrivateJwk.parse(jwk);
  const key = await importJWK({ ...publicPart, d }, 'EdDSA');
  const publicKey = await importJWK(publicPart, 'EdDSA');
  if (publicKey instanceof Uint8Array) throw new TypeError('the signing key is symmetric');
  const kid = named ?? (await calculateJwkThumbprint(publicPart));
  return {
    kid,
    publicJwk: { ...(await exportJWK(publicKey)), kid, alg: 'EdDSA', use: 'sig' },
    sign: (payload) =>
      new CompactSign(new TextEncoder().encode(payload)).setProtectedHeader({ alg: 'EdDSA', kid }).sign(key),
  };
}

const PrivateJwk = z.object({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: z.string(),
  d: z.string(),
  kid: z.string().optional(),
});
