import { createHash, timingSafeEqual } from 'node:crypto';

/** Whether the SHA-256 of `secret` is `sha256Hex`, compared in constant time. */
export function secretMatches(secret: string, sha256Hex: string): boolean {
  const hash = createHash('sha256').update(secret).digest();
  const expected = Buffer.from(sha256Hex, 'hex');
  return expected.length === hash.length && timingSafeEqual(hash, expected);
}

/** SHA-256 in hex over all parts, one after another. */
export function sha256Hex(parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
}
