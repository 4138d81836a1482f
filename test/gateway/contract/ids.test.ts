import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ObjectId, utf8Bytes } from '#gateway/contract/ids.ts';
import { canonicalJson, compareReleases } from '#gateway/contract/release.ts';

test.each(['a', '..a', ' ', 'ünï', '💬', 'a/b?c#d%25|~:', '\u202eright-to-left', 'x'.repeat(255)])(
  '%j is an id',
  (id) => {
    expect(ObjectId.parse(id)).toBe(id);
  },
);

test.each(['', '.', '..', 'x'.repeat(256), 'é'.repeat(128), 'a\u0000b', 'tab\t', '\u0085', '\ud800'])(
  '%j is not an id',
  (id) => {
    expect(ObjectId.safeParse(id).success).toBe(false);
  },
);

test('the size of an id is counted in bytes of UTF-8', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      expect(utf8Bytes(text)).toBe(Buffer.byteLength(text));
    }),
  );
});

test('the hashed form of a document does not depend on the order of its keys', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (document) => {
      const reversed = Object.fromEntries(Object.entries(document).reverse());
      expect(canonicalJson(reversed)).toBe(canonicalJson(document));
      expect(JSON.parse(canonicalJson(document))).toEqual(JSON.parse(JSON.stringify(document)));
    }),
  );
});

test('releases are ordered by epoch, then number', () => {
  expect(compareReleases({ epoch: 2, number: 1 }, { epoch: 1, number: 9 })).toBeGreaterThan(0);
  expect(compareReleases({ epoch: 1, number: 2 }, { epoch: 1, number: 3 })).toBeLessThan(0);
  expect(compareReleases({ epoch: 1, number: 3 }, { epoch: 1, number: 3 })).toBe(0);
});
