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
  const sizes = parts.map((part) => Buffer.byteLength(part));
  const joined = Buffer.allocUnsafe(sizes.reduce((sum, size) => sum + size + 4, 0));
  let at = 0;
  for (const [index, part] of parts.entries()) {
    at = joined.writeUInt32BE(sizes[index] ?? 0, at);
    at += joined.write(part, at);
  }
  return joined;
}
