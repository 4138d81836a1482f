import { randomFillSync } from 'node:crypto';

export const IV_BYTES = 12;
const POOL_IVS = 512;

/** Random 96-bit IVs, drawn from a pool because a system call for each would cost more than the encryption. */
export function createRandomIvs(): () => Buffer {
  const pool = Buffer.alloc(IV_BYTES * POOL_IVS);
  let at = pool.length;
  return () => {
    if (at === pool.length) {
      randomFillSync(pool);
      at = 0;
    }
    at += IV_BYTES;
    return Buffer.from(pool.subarray(at - IV_BYTES, at));
  };
}
