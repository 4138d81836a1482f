import { createHash, hash, timingSafeEqual } from 'node:crypto';

/** Whether the SHA-256 of `secret` is `sha256Hex`, compared in constant time. */
export function secretMatches(secret: string, sha256Hex: string): boolean {
  const given = hash('sha256', secret, 'buffer');
  const expected = Buffer.from(sha256Hex, 'hex');
  return expected.length === given.length && timingSafeEqual(given, expected);
}

/** SHA-256 in hex over all parts, one after another. */
export function sha256Hex(parts: readonly (string | Uint8Array)[]): string {
  const whole = createHash('sha256');
  for (const part of parts) whole.update(part);
  return whole.digest('hex');
}
