import { randomBytes } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const RANDOM_CHARS = 16;
const POOL_BYTES = 4_096;

/** Makes request ids: ULIDs (https://github.com/ulid/spec), so that ids sort by time and fit in a URL. */
export function createRequestIds(nowMs: () => number): () => string {
  let pool = Buffer.alloc(0);
  let used = 0;
  return () => {
    if (used + RANDOM_CHARS > pool.length) {
      pool = randomBytes(POOL_BYTES);
      used = 0;
    }
    let id = timePart(nowMs());
    for (let index = 0; index < RANDOM_CHARS; index++) id += ALPHABET[(pool[used + index] ?? 0) & 31];
    used += RANDOM_CHARS;
    return id;
  };
}

function timePart(ms: number): string {
  let text = '';
  for (let rest = ms, index = 0; index < 10; index++, rest = Math.floor(rest / 32)) text = ALPHABET[rest % 32] + text;
  return text;
}
