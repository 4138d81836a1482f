import { randomFillSync } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const POOL_BYTES = 16 * 256;
const TIME_CHARS = 10;

/** Makes ULIDs: 10 characters of time and 16 of randomness (github.com/ulid/spec), ordered by time of creation. */
export function createUlids(now: () => number): () => string {
  const pool = Buffer.alloc(POOL_BYTES);
  let at = POOL_BYTES;
  return () => {
    if (at === POOL_BYTES) {
      randomFillSync(pool);
      at = 0;
    }
    let random = '';
    for (const end = at + 16; at < end; at += 1) random += ALPHABET.charAt((pool[at] ?? 0) & 31);
    return encodeTime(now()) + random;
  };
}

function encodeTime(timeMs: number): string {
  let rest = timeMs;
  let text = '';
  for (let place = 0; place < TIME_CHARS; place += 1) {
    text = ALPHABET.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}
