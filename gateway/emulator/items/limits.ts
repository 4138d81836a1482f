import { badRequest, CosmosError } from '#gateway/emulator/errors.ts';
import type { Json } from '#gateway/emulator/json.ts';

/** Limits of the service that a client can meet. */
export const LIMITS = {
  itemBytes: 2 * 1024 * 1024,
  batchBytes: 2 * 1024 * 1024,
  batchOperations: 100,
  idBytes: 1_023,
  partitionKeyBytes: 2_048,
  partitionBytes: 20 * 1024 ** 3,
  depth: 128,
  patchOperations: 10,
  pageBytes: 4 * 1024 * 1024,
  pageItems: 1_000,
} as const;

export function checkItemId(id: unknown): string {
  if (typeof id !== 'string' || id === '') throw badRequest('An item needs an id, which is a non-empty string.');
  if (Buffer.byteLength(id) > LIMITS.idBytes) throw badRequest(`An id has at most ${LIMITS.idBytes} bytes.`);
  // The service takes `?` and `#` too, but its clients cannot address such an item again.
  if (/[/\\?#]/.test(id)) throw badRequest('An id contains none of / \\ ? #.');
  return id;
}

export function checkItemSize(text: string): number {
  const sizeBytes = Buffer.byteLength(text);
  if (sizeBytes > LIMITS.itemBytes) throw new CosmosError(413, 'Request size is too large: an item has at most 2 MB.');
  return sizeBytes;
}

/** Refuses objects and arrays that lie inside each other more than 128 deep. */
export function checkDepth(value: Json, depth = 0): void {
  if (typeof value !== 'object' || value === null) return;
  if (depth >= LIMITS.depth) throw badRequest(`Objects and arrays lie inside each other at most ${LIMITS.depth} deep.`);
  for (const part of Object.values(value)) checkDepth(part as Json, depth + 1);
}
