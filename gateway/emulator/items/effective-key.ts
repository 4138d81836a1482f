import { badRequest } from '#gateway/emulator/errors.ts';
import type { Json } from '#gateway/emulator/json.ts';
import { murmurHash128 } from './murmur-hash.ts';

/** Part of the space of effective partition keys, as bytes; undefined `max` is its end. */
export interface KeyRange {
  readonly min: Uint8Array;
  readonly max: Uint8Array | undefined;
}

/**
 * The effective partition key of version 2: where in the space of ranges a partition lies. One hash of 16 bytes over
 * all components, or one for each level of a hierarchical key, so that a prefix is a range.
 */
export function effectiveKey(pk: string, isHierarchical: boolean): Uint8Array {
  const components = JSON.parse(pk) as readonly Json[];
  if (!isHierarchical) return hashOf(components);
  return Buffer.concat(components.map((component) => hashOf([component])));
}

/** A part of the range from its two ends in hexadecimal; undefined when it is the whole. */
export function keyRangeOf(start: string | undefined, end: string | undefined): KeyRange | undefined {
  const [min, max] = [start ?? '', end ?? WHOLE_END];
  if (!isHex(min) || !isHex(max) || min >= max) throw badRequest('The range of effective partition keys is malformed.');
  if (min === '' && max === WHOLE_END) return undefined;
  return { min: Buffer.from(min, 'hex'), max: max === WHOLE_END ? undefined : Buffer.from(max, 'hex') };
}

/** SQL that keeps the rows inside of a range, with its values. */
export function keyRangeSql({ min, max }: KeyRange): { readonly sql: string; readonly values: readonly Uint8Array[] } {
  if (max === undefined) return { sql: 'epk >= ?', values: [min] };
  return { sql: 'epk >= ? AND epk < ?', values: [min, max] };
}

const WHOLE_END = 'FF';

const isHex = (text: string): boolean => text.length % 2 === 0 && /^[0-9A-F]*$/.test(text);

/** The two highest bits are free: the space ends before `40`. */
function hashOf(components: readonly Json[]): Uint8Array {
  const [h1, h2] = murmurHash128(Buffer.concat(components.map(bytesOf)));
  const key = Buffer.alloc(16);
  key.writeBigUInt64BE(h2, 0);
  key.writeBigUInt64BE(h1, 8);
  key[0] = Number(key[0]) & 0x3f;
  return key;
}

/** A component as it is hashed: a byte for its kind, then its value; strings end in FF. */
function bytesOf(component: Json): Buffer {
  if (typeof component === 'string')
    return Buffer.concat([Buffer.of(8), Buffer.from(component, 'utf8'), Buffer.of(255)]);
  if (typeof component === 'boolean') return Buffer.of(component ? 3 : 2);
  if (component === null) return Buffer.of(1);
  if (typeof component !== 'number') return Buffer.of(0);
  const bytes = Buffer.alloc(9);
  bytes[0] = 5;
  bytes.writeDoubleLE(component, 1);
  return bytes;
}
