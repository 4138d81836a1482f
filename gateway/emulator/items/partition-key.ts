import type { Container } from '#gateway/emulator/catalog/container.ts';
import { badRequest } from '#gateway/emulator/errors.ts';
import { isJsonObject, type Json } from '#gateway/emulator/json.ts';
import { valueAt } from '#gateway/emulator/store/index-key.ts';
import { LIMITS } from './limits.ts';

/** The text of a partition key, equal for equal keys: the JSON array of its components, `{}` for an absent one. */
export type PartitionKeyText = string;

/** Reads `x-ms-documentdb-partitionkey` for an operation on one partition. */
export function partitionKeyFromHeader(container: Container, header: string): PartitionKeyText {
  const components = componentsOf(header);
  if (components.length !== container.partitionPaths.length) throw wrongComponents();
  return textOf(components);
}

/** Which partitions a query or a feed reads: one, or all below a prefix of a hierarchical key. */
export interface PartitionScope {
  /** The key when it is one partition. */
  readonly pk: PartitionKeyText | undefined;
  readonly sql: string;
  readonly values: readonly string[];
}

/** Reads the same header for a query or a feed, where a hierarchical key may be cut short. */
export function partitionScopeFromHeader(container: Container, header: string | undefined): PartitionScope | undefined {
  if (header === undefined) return undefined;
  const components = componentsOf(header);
  const missing = container.partitionPaths.length - components.length;
  if (missing < 0 || components.length === 0 || (missing > 0 && !container.isHierarchical)) throw wrongComponents();
  const text = textOf(components);
  if (missing === 0) return { pk: text, sql: 'pk = ?', values: [text] };
  // Every key below `["a"` goes on with a comma, and no JSON text lies between `["a",` and `["a"-`.
  const open = text.slice(0, -1);
  return { pk: undefined, sql: 'pk >= ? AND pk < ?', values: [`${open},`, `${open}-`] };
}

/** The partition key that a document carries. */
export function partitionKeyOf(container: Container, document: Json): PartitionKeyText {
  return textOf(container.partitionPaths.map((path) => valueAt(document, path)));
}

function componentsOf(header: string): readonly unknown[] {
  let components: unknown;
  try {
    components = JSON.parse(header);
  } catch {
    throw badRequest('The partition key header is not JSON.');
  }
  if (!Array.isArray(components)) throw wrongComponents();
  return components;
}

const wrongComponents = (): Error =>
  badRequest('Partition key provided either has wrong number of components or is not an array.', 1001);

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
