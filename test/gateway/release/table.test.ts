import fc from 'fast-check';
import { expect, it } from 'vitest';
import { buildTable } from '#gateway/release/build-table.ts';
import { leafOf } from '#gateway/release/leaf.ts';
import { openTable } from '#gateway/release/table.ts';
import { objectType } from '#test/gateway/fixtures/definitions.ts';
import { tableOf } from '#test/gateway/fixtures/table.ts';

it('every item is found by its name with its text, whatever the names, and no other is', () => {
  const leaves = fc.uniqueArray(fc.tuple(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' })), {
    selector: ([name]) => name,
    maxLength: 60,
  });
  fc.assert(
    fc.property(leaves, fc.nat({ max: 60 }), fc.string(), (items, cut, other) => {
      const all = items.map(([name, text]) => ({ name, text }));
      const table = openTable(
        buildTable([leafOf('policy', all.slice(0, cut)), leafOf('policy', all.slice(cut)), leafOf('tenant', all)]),
      );
      expect([table.count('policy'), table.count('key')]).toEqual([all.length, 0]);
      for (const { name, text } of all) {
        const at = table.find('policy', name);
        expect([table.name('policy', at), table.text('policy', at)]).toEqual([name, text]);
        expect(table.text('tenant', table.find('tenant', name))).toBe(text);
      }
      if (!all.some(({ name }) => name === other)) expect(table.find('policy', other)).toBe(-1);
    }),
  );
});

it('two items of one name are refused', () => {
  expect(() => tableOf({ objectType: [objectType('Message'), objectType('Message')] })).toThrow(
    'The release has two items of kind objectType with the name Message.',
  );
});
