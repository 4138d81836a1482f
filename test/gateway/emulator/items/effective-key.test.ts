import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { effectiveKey, keyRangeOf } from '#gateway/emulator/items/effective-key.ts';

interface PartitionDefinition {
  readonly paths: readonly string[];
  readonly version: 2;
  readonly kind: 'Hash' | 'MultiHash';
}

// The client's own hash, which it does not export: what it computes decides where it looks.
const require = createRequire(import.meta.url);
const client = dirname(require.resolve('@azure/cosmos'));
const { hashPartitionKey } = require(join(client, 'utils/hashing/hash.js')) as {
  hashPartitionKey(key: readonly unknown[], definition: PartitionDefinition): string;
};

const component = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 80 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
  fc.boolean(),
  fc.constant(null),
  fc.constant({}),
);

const hex = (pk: readonly unknown[], isHierarchical: boolean): string =>
  Buffer.from(effectiveKey(JSON.stringify(pk), isHierarchical))
    .toString('hex')
    .toUpperCase();

it('is the key that the client computes, for every kind of value', () => {
  const definition = { paths: ['/pk'], version: 2, kind: 'Hash' } as const;
  fc.assert(
    fc.property(component, (value) => {
      expect(hex([value], false)).toBe(hashPartitionKey([value], definition));
    }),
    { numRuns: 1_000 },
  );
});

it('of a hierarchical key begins with that of its prefix', () => {
  const definition = { paths: ['/a', '/b'], version: 2, kind: 'MultiHash' } as const;
  fc.assert(
    fc.property(component, component, (a, b) => {
      expect(hex([a, b], true)).toBe(hashPartitionKey([a, b], definition));
      expect(hex([a, b], true).startsWith(hex([a], true))).toBe(true);
    }),
    { numRuns: 300 },
  );
});

it('a range is read from two ends in hexadecimal, and the whole range is none', () => {
  expect(keyRangeOf(undefined, undefined)).toBeUndefined();
  expect(keyRangeOf('', 'FF')).toBeUndefined();
  expect(keyRangeOf('20', 'FF')).toEqual({ min: Buffer.of(0x20), max: undefined });
  expect(keyRangeOf('', '20')).toEqual({ min: Buffer.of(), max: Buffer.of(0x20) });
  for (const [min, max] of [
    ['20', '10'],
    ['xy', 'FF'],
    ['2', 'FF'],
    ['20', '20'],
  ]) {
    expect(() => keyRangeOf(min, max)).toThrow('malformed');
  }
});
