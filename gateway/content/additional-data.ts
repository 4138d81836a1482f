import type { ContentBinding, SealedContent } from '#gateway/pipeline/store-port.ts';

/** Version of the envelope's layout; another number is another layout. */
const FORMAT = 1;

/**
 * What a sealed body is bound to, as AES-GCM's additional data: each part is its length as a 32-bit integer, then its
 * UTF-8 bytes, so no two lists of parts can run together. A body that moves to another item, or whose clear fields are
 * changed, no longer opens.
 */
export function additionalData(
  binding: ContentBinding,
  sealed: Omit<SealedContent, 'envelope' | 'envelopeCrc'>,
): Buffer {
  return lengthPrefixed([
    String(FORMAT),
    binding.tenant,
    binding.pk,
    binding.itemId,
    binding.type,
    String(binding.r),
    String(binding.timeMs),
    sealed.contentType,
    sealed.codec,
    String(sealed.plainBytes),
    sealed.keyId,
  ]);
}

/** Joins strings so that the result decides the list: 4 bytes of length (big-endian), then the UTF-8 bytes, each. */
export function lengthPrefixed(parts: readonly string[]): Buffer {
  let bytes = 0;
  for (const part of parts) bytes += 4 + Buffer.byteLength(part);
  const joined = Buffer.allocUnsafe(bytes);
  let at = 0;
  for (const part of parts) {
    const size = joined.write(part, at + 4);
    joined.writeUInt32BE(size, at);
    at += 4 + size;
  }
  return joined;
}
