import type { Container } from '#gateway/emulator/catalog/container.ts';
import { badRequest } from '#gateway/emulator/errors.ts';
import { isJsonObject, type Json } from '#gateway/emulator/json.ts';
import { valueAt } from '#gateway/emulator/store/index-key.ts';
import { LIMITS } from './limits.ts';

/** The text of a partition key, equal for equal keys: the JSON array of its components, `{}` for an absent one. */
export type PartitionKeyText = string;

/** Reads `x-ms-documentdb-partitionkey`. */
export function partitionKeyFromHeader(container: Container, header: string): PartitionKeyText {
  let components: unknown;
  try {
    components = JSON.parse(header);
  } catch {
    throw badRequest('The partition key header is not JSON.');
  }
  if (!Array.isArray(components) || components.length !== container.partitionPaths.length) {
    throw badRequest('Partition key provided either has wrong number of components or is not an array.', 1001);
  }
  return textOf(components);
}

/** The partition key that a document carries. */
export function partitionKeyOf(container: Container, document: Json): PartitionKeyText {
  return textOf(container.partitionPaths.map((path) => valueAt(document, path)));
}

function textOf(components: readonly unknown[]): PartitionKeyText {
  return JSON.stringify(components.map(component));
}

function component(value: unknown): Json {
  if (value === undefined) return {};
  if (value === null || typeof value === 'boolean' || typeof value === 'number') return value;
  if (typeof value === 'string') {
    if (Buffer.byteLength(value) > LIMITS.partitionKeyBytes) {
      throw badRequest(`A partition key has at most ${LIMITS.partitionKeyBytes} bytes.`);
    }
    return value;
  }
  if (isJsonObject(value) && Object.keys(value).length === 0) return {};
  throw badRequest('A partition key is a string, a number, a boolean or null.');
}
