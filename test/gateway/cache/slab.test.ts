import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openSlab, type Slab } from '#gateway/cache/slab.ts';

const KB = 1_024;

function put(slab: Slab, key: string, content: Buffer, group = 'g'): void {
  slab.put({ key, group, bytes: content.length, write: (buffer, at) => void content.copy(buffer, at) });
}

function get(slab: Slab, key: string): Buffer | null {
  const found = slab.find(key);
  return found === null ? null : Buffer.from(slab.buffer.subarray(found.at, found.at + found.bytes));
}

/** Content that tells which put it came from, so that a mixed up place shows. */
const contentOf = (seed: number, bytes: number) => Buffer.from(Array.from({ length: bytes }, (_, n) => seed * 31 + n));

const key = fc.integer({ min: 0, max: 40 }).map((n) => `k${n}`);
const group = fc.constantFrom('a', 'b', 'c');
const act = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ act: fc.constant('put' as const), key, group, bytes: fc.integer({ max: 700, min: 0 }) }),
  },
  { weight: 6, arbitrary: fc.record({ act: fc.constant('get' as const), key }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('drop' as const), key }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('dropGroup' as const), group }) },
);

test('whatever is put, found and dropped: an entry is what was put last under its key, or gone', () => {
  fc.assert(
    fc.property(fc.array(act, { maxLength: 400 }), fc.integer({ min: 3, max: 30 }), (acts, maxEntries) => {
      const slab = openSlab({ bytes: 8 * KB, maxEntries });
      const model = new Map<string, { content: Buffer; group: string }>();
      for (const [seed, one] of acts.entries()) {
        if (one.act === 'put') {
          const content = contentOf(seed, one.bytes);
          put(slab, one.key, content, one.group);
          model.set(one.key, { content, group: one.group });
        } else if (one.act === 'drop') {
          slab.drop(one.key);
          model.delete(one.key);
        } else if (one.act === 'dropGroup') {
          slab.dropGroup(one.group);
          for (const [name, { group }] of model) if (group === one.group) model.delete(name);
        } else {
          const found = get(slab, one.key);
          if (found !== null) expect(found).toEqual(model.get(one.key)?.content);
        }
        expect(slab.entries()).toBeLessThanOrEqual(maxEntries);
      }
      for (const [name, { content }] of model) expect([null, content]).toContainEqual(get(slab, name));
    }),
    { numRuns: 300 },
  );
});

test('what was asked for again outlives a walk over ten times as much as fits', () => {
  const slab = openSlab({ bytes: 256 * KB, maxEntries: 10_000 });
  const hot = Array.from({ length: 50 }, (_, n) => `hot${n}`);
  for (const name of hot) {
    put(slab, name, contentOf(1, KB));
    slab.find(name);
  }
  for (let n = 0; n < 2_500; n += 1) {
    put(slab, `walk${n}`, contentOf(2, KB));
    if (n % 20 === 0) for (const name of hot) slab.find(name);
  }
  expect(hot.filter((name) => slab.find(name) !== null)).toHaveLength(50);
});

test('a key that comes back soon after it went is kept for longer', () => {
  const slab = openSlab({ bytes: 64 * KB, maxEntries: 1_000 });
  const fill = (from: number, to: number) => {
    for (let n = from; n < to; n += 1) put(slab, `n${n}`, contentOf(3, KB));
  };
  put(slab, 'back', contentOf(1, KB));
  fill(0, 20);
  expect(slab.find('back')).toBeNull();
  put(slab, 'back', contentOf(1, KB));
  fill(20, 40);
  expect(get(slab, 'back')).toEqual(contentOf(1, KB));
});

test('bytes of what goes are wiped, wherever they lay', () => {
  const slab = openSlab({ bytes: 64 * KB, maxEntries: 1_000 });
  const secret = Buffer.from('a marker that nobody may find'.repeat(8));
  for (let n = 0; n < 300; n += 1) {
    put(slab, `s${n}`, secret, 'gone');
    put(slab, `o${n}`, contentOf(4, 300), 'stays');
    slab.find(`s${n}`);
  }
  slab.dropGroup('gone');
  expect(slab.buffer.includes('a marker')).toBe(false);
  expect(slab.entries()).toBeGreaterThan(0);
});

test('an entry too large for the slab is not kept and takes its predecessor along', () => {
  const slab = openSlab({ bytes: 64 * KB, maxEntries: 100 });
  put(slab, 'k', contentOf(1, 100));
  put(slab, 'k', contentOf(2, 3 * KB));
  expect(slab.find('k')).toBeNull();
});
