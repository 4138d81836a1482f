import { createHash, randomBytes } from 'node:crypto';
import { ObjectId } from '#gateway/contract/ids.ts';
import type { ObjectIdPort } from '#gateway/pipeline/resolve.ts';

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';
const DERIVED_CHARS = 26;

/**
 * Ids of objects that the gateway names. With an idempotency key the id is the first 26 characters of
 * base32(SHA-256(tenant, type, principal, key)) (RFC 4648, lower case; every part preceded by its length), so that a retry
 * meets the same partition; without one it is a UUID version 7 (RFC 9562), which sorts by time.
 */
export function createObjectIds(nowMs: () => number): ObjectIdPort {
  return {
    derived: (parts) => {
      const hash = createHash('sha256');
      for (const part of parts) hash.update(`${Buffer.byteLength(part)}:`).update(part);
      return ObjectId.parse(base32(hash.digest()).slice(0, DERIVED_CHARS));
    },
    fresh: () => ObjectId.parse(uuidV7(nowMs())),
  };
}

function base32(bytes: Buffer): string {
  let text = '';
  let bits = 0;
  let held = 0;
  for (const byte of bytes) {
    held = ((held << 8) | byte) & 0xfff;
    bits += 8;
    for (; bits >= 5; bits -= 5) text += BASE32[(held >> (bits - 5)) & 31];
  }
  return text;
}

function uuidV7(ms: number): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(ms, 0, 6);
  bytes.writeUInt8(((bytes[6] ?? 0) & 0x0f) | 0x70, 6);
  bytes.writeUInt8(((bytes[8] ?? 0) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
