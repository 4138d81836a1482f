import { isJsonObject, type Json } from '#gateway/emulator/json.ts';

/** First byte of a key, so that kinds sort as in the service: absent, null, false, true, numbers, strings, arrays, objects. */
export const KEY_TAG = { absent: 0, null: 1, false: 2, true: 3, number: 4, string: 5, array: 6, object: 7 } as const;

/** Value at a path of property names, or undefined. */
export function valueAt(document: Json | undefined, path: readonly (string | number)[]): Json | undefined {
  let value = document;
  for (const step of path) {
    if (typeof step === 'number') {
      value = Array.isArray(value) ? value[step] : undefined;
    } else {
      value = isJsonObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
    }
    if (value === undefined) return undefined;
  }
  return value;
}

/** The order-preserving key of whatever is at `path`; arrays are all equal, and so are objects. */
export function columnKey(document: Json, path: readonly string[]): Uint8Array {
  const value = valueAt(document, path);
  const key = encodeScalar(value);
  if (key !== undefined) return key;
  if (value === undefined) return Uint8Array.of(KEY_TAG.absent);
  return Uint8Array.of(Array.isArray(value) ? KEY_TAG.array : KEY_TAG.object);
}

/** The values of a unique key as one. An absent value counts as null, as in the service. */
export function uniqueKey(document: Json, paths: readonly (readonly string[])[]): Uint8Array {
  const keys = paths.map((path) => encodeScalar(valueAt(document, path)) ?? Uint8Array.of(KEY_TAG.null));
  return Buffer.concat(keys.flatMap((key) => [lengthOf(key), key]));
}

function lengthOf(key: Uint8Array): Uint8Array {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(key.length);
  return length;
}

/** Bytes that compare (memcmp) as the values do. Numbers are IEEE 754 with the sign folded in. */
export function encodeScalar(value: Json | undefined): Uint8Array | undefined {
  if (value === null) return Uint8Array.of(KEY_TAG.null);
  if (value === false) return Uint8Array.of(KEY_TAG.false);
  if (value === true) return Uint8Array.of(KEY_TAG.true);
  if (typeof value === 'number') return encodeNumber(value);
  if (typeof value !== 'string') return undefined;
  const text = Buffer.from(value, 'utf8');
  const key = new Uint8Array(text.length + 1);
  key[0] = KEY_TAG.string;
  key.set(text, 1);
  return key;
}

function encodeNumber(value: number): Uint8Array {
  const key = new Uint8Array(9);
  key[0] = KEY_TAG.number;
  const view = new DataView(key.buffer);
  view.setFloat64(1, value === 0 ? 0 : value);
  const negative = (view.getUint8(1) & 0x80) !== 0;
  if (!negative) view.setUint8(1, view.getUint8(1) | 0x80);
  else for (let at = 1; at < 9; at += 1) view.setUint8(at, ~view.getUint8(at) & 0xff);
  return key;
}
