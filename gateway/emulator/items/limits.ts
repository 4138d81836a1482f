import { badRequest, CosmosError } from '#gateway/emulator/errors.ts';

/** Limits of the service that a client can meet. */
export const LIMITS = {
  itemBytes: 2 * 1024 * 1024,
  batchBytes: 2 * 1024 * 1024,
  batchOperations: 100,
  idBytes: 1_023,
  partitionKeyBytes: 2_048,
  patchOperations: 10,
  pageBytes: 4 * 1024 * 1024,
  pageItems: 1_000,
} as const;

export function checkItemId(id: unknown): string {
  if (typeof id !== 'string' || id === '') throw badRequest('An item needs an id, which is a non-empty string.');
  if (Buffer.byteLength(id) > LIMITS.idBytes) throw badRequest(`An id has at most ${LIMITS.idBytes} bytes.`);
  if (/[/\\#]/.test(id)) throw badRequest('An id contains none of / \\ #.');
  return id;
}

export function checkItemSize(text: string): number {
  const sizeBytes = Buffer.byteLength(text);
  if (sizeBytes > LIMITS.itemBytes) throw new CosmosError(413, 'Request size is too large: an item has at most 2 MB.');
  return sizeBytes;
}
