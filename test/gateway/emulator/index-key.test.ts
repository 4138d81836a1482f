import fc from 'fast-check';
import { expect, it } from 'vitest';
import { encodeScalar } from '#gateway/emulator/store/index-key.ts';

const scalar = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  fc.string({ unit: 'binary' }),
);

const rank = (value: unknown): number => {
  if (value === null) return 0;
  return ['boolean', 'number', 'string'].indexOf(typeof value) + 1;
};

/** The order of the service, said another way: kinds first, then the kind's own order (strings by their bytes). */
function order(a: null | boolean | number | string, b: null | boolean | number | string): number {
  if (rank(a) !== rank(b)) return Math.sign(rank(a) - rank(b));
  if (typeof a === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(String(b)));
  return Math.sign(Number(a) - Number(b));
}

it('bytes of a key compare as the values do', () => {
  fc.assert(
    fc.property(scalar, scalar, (a, b) => {
      const [left, right] = [encodeScalar(a), encodeScalar(b)];
      expect(Buffer.compare(left ?? Buffer.alloc(0), right ?? Buffer.alloc(0))).toBe(order(a, b));
    }),
    { numRuns: 2_000 },
  );
});

it('objects, arrays and absent values have no key', () => {
  expect([{}, [], undefined].map((value) => encodeScalar(value))).toEqual([undefined, undefined, undefined]);
});
