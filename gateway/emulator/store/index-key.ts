import { isJsonObject, type Json } from '#gateway/emulator/json.ts';

/** First byte of a key, so that kinds sort as in the service: null, false, true, numbers, strings. */
export const KEY_TAG = { null: 1, false: 2, true: 3, number: 4, string: 5 } as const;

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

/** The order-preserving key of the scalar at `path`; undefined for objects, arrays and absent values. */
export function indexKey(document: Json, path: readonly string[]): Uint8Array | undefined {
  return encodeScalar(valueAt(document, path));
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
