import { expect, it } from 'vitest';
import { lifecycleEntry } from '#gateway/release/lifecycle-entry.ts';

it('an active type has none', () => {
  expect(lifecycleEntry({ name: 'Message' })).toBeNull();
});

it.each([
  ['Use Note.', 'replacement="Use Note."'],
  ['“Note”, ja', 'replacement="%E2%80%9CNote%E2%80%9D, ja"'],
  ['a "b" 100 %', 'replacement="a %22b%22 100 %25"'],
  ['two\r\nlines', 'replacement="two%0D%0Alines"'],
])('%j stands in the header as printable ASCII', (replacement, shown) => {
  const lifecycle = { state: 'deprecated-warn', since: '2026-12-01', sunset: '2027-03-01', replacement } as const;
  const entry = lifecycleEntry({ name: 'Message', lifecycle });
  expect(entry?.header).toBe(`Message; since=2026-12-01; sunset=2027-03-01; ${shown}`);
  expect(() => new Headers({ 'Habitat-Deprecated': entry?.header ?? '' })).not.toThrow();
});
