import 'server-only';
import { createHash, randomBytes, randomInt } from 'node:crypto';

export interface NewKey {
  /** Public part, 12 letters and digits. */
  readonly id: string;
  /** The whole key, `hk_<id>_<secret>`: shown once, stored nowhere. */
  readonly key: string;
  /** SHA-256 of the secret part, hex: what is stored and what gateways compare with. */
  readonly secretSha256: string;
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** A key with 256 bits of secret. */
export function newKey(): NewKey {
  const id = Array.from({ length: 12 }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('');
  const secret = randomBytes(32).toString('base64url');
  return { id, key: `hk_${id}_${secret}`, secretSha256: createHash('sha256').update(secret).digest('hex') };
}
