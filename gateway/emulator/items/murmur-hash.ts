const C1 = 0x87c37b91114253d5n;
const C2 = 0x4cf5ad432745937fn;
const BLOCK_BYTES = 16;

const u64 = (value: bigint): bigint => BigInt.asUintN(64, value);
const rotate = (value: bigint, bits: bigint): bigint => u64((value << bits) | (value >> (64n - bits)));
const scramble1 = (k: bigint): bigint => u64(rotate(u64(k * C1), 31n) * C2);
const scramble2 = (k: bigint): bigint => u64(rotate(u64(k * C2), 33n) * C1);

/** MurmurHash3 x64, 128 bits, seed 0: both halves. https://github.com/aappleby/smhasher, MurmurHash3_x64_128. */
export function murmurHash128(data: Uint8Array): readonly [bigint, bigint] {
  // Padded with zeros, which change nothing: a missing byte of the tail counts as one.
  const padded = new Uint8Array(Math.ceil(data.length / BLOCK_BYTES) * BLOCK_BYTES);
  padded.set(data);
  const view = new DataView(padded.buffer);
  const tailAt = data.length - (data.length % BLOCK_BYTES);
  let [h1, h2] = [0n, 0n];
  for (let at = 0; at < tailAt; at += BLOCK_BYTES) {
    h1 ^= scramble1(view.getBigUint64(at, true));
    h1 = u64(u64(rotate(h1, 27n) + h2) * 5n + 0x52dce729n);
    h2 ^= scramble2(view.getBigUint64(at + 8, true));
    h2 = u64(u64(rotate(h2, 31n) + h1) * 5n + 0x38495ab5n);
  }
  if (tailAt < data.length) {
    h1 ^= scramble1(view.getBigUint64(tailAt, true));
    h2 ^= scramble2(view.getBigUint64(tailAt + 8, true));
  }
  const length = BigInt(data.length);
  h1 = u64((h1 ^ length) + (h2 ^ length));
  h2 = u64((h2 ^ length) + h1);
  [h1, h2] = [finish(h1), finish(h2)];
  h1 = u64(h1 + h2);
  return [h1, u64(h2 + h1)];
}

function finish(value: bigint): bigint {
  let k = u64((value ^ (value >> 33n)) * 0xff51afd7ed558ccdn);
  k = u64((k ^ (k >> 33n)) * 0xc4ceb9fe1a85ec53n);
  return k ^ (k >> 33n);
}
