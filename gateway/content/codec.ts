import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** Below this size a frame's header eats what compression saves. */
const COMPRESS_FROM_BYTES = 1_024;
/** Level 3 is zstd's own default; higher levels cost more time than they save RU at these sizes. */
const OPTIONS = { params: { [constants.ZSTD_c_compressionLevel]: 3 } };

/** Smallest chunk that zlib takes. */
const LEAST_CHUNK_BYTES = 64;

/** How content is packed; its name is stored beside it. */
export type Codec = 'none' | 'zstd';

/** Compresses with zstd when that makes the content smaller; synchronous, since a thread hop costs more at these sizes. */
export function compress(plain: Uint8Array): { readonly codec: Codec; readonly bytes: Uint8Array } {
  if (plain.length < COMPRESS_FROM_BYTES) return { codec: 'none', bytes: plain };
  const packed = zstdCompressSync(plain, OPTIONS);
  return packed.length < plain.length ? { codec: 'zstd', bytes: packed } : { codec: 'none', bytes: plain };
}

/** The plain bytes, or null when they are not exactly `plainBytes` long, the frame is broken or the codec is none of ours. */
export function decompress(codec: string, bytes: Buffer, plainBytes: number): Buffer | null {
  if (codec === 'none') return bytes.length === plainBytes ? bytes : null;
  if (codec !== 'zstd') return null;
  try {
    // One chunk that holds it all: zlib's own of 16 KB costs a third more at the size of most objects.
    const chunkSize = Math.max(plainBytes + 1, LEAST_CHUNK_BYTES);
    const plain = zstdDecompressSync(bytes, { maxOutputLength: Math.max(plainBytes, 1), chunkSize });
    return plain.length === plainBytes ? plain : null;
  } catch {
    return null;
  }
}
