import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { completionsAt } from '#components/ui/filter-completions.ts';
import { parseFilter, quoteValue, withoutToken } from '#components/ui/parse-filter.ts';

const read = (text: string) =>
  parseFilter(text).map(({ key, value, isNegated }) => `${isNegated ? '-' : ''}${key ?? ''}|${value}`);

describe('a filter line', () => {
  it('reads keys, negation, quoted values and free text', () => {
    expect(read('tenant:chat -did:read "two words" actor:"Ana Ruiz" loose')).toEqual([
      'tenant|chat',
      '-did|read',
      '|two words',
      'actor|Ana Ruiz',
      '|loose',
    ]);
  });

  it('keeps a value with colons whole', () => {
    expect(read('after:13:30')).toEqual(['after|13:30']);
  });

  it('reads a key that has no value yet', () => {
    expect(read('tenant: -kind:')).toEqual(['tenant|', '-kind|']);
  });

  it('reads back any value that it quoted', () => {
    const value = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }).filter((text) => !/[\n\r\t]/.test(text));
    fc.assert(
      fc.property(value, (text) => {
        const tokens = parseFilter(`actor:${quoteValue(text)}`);
        expect(tokens.map((token) => token.value)).toEqual([text]);
      }),
    );
  });

  it('takes one token out and leaves the others', () => {
    const text = 'tenant:chat -did:read loose';
    const [, second] = parseFilter(text);
    expect(second && withoutToken(text, second)).toBe('tenant:chat loose');
  });
});

const KEYS = [
  { key: 'tenant', about: 'whose data', values: ['chat', 'billing', 'chat two'] },
  { key: 'type', about: 'which type' },
];

describe('completion', () => {
  it('offers keys while a key is typed, keeping the minus', () => {
    expect(completionsAt('-t', 2, KEYS).map(({ label }) => label)).toEqual(['-tenant:', '-type:']);
  });

  it('offers values after the colon, quoted where they need it', () => {
    expect(completionsAt('tenant:ch', 9, KEYS).map(({ label }) => label)).toEqual(['tenant:chat', 'tenant:"chat two"']);
  });

  it('replaces only the token at the caret', () => {
    const [first] = completionsAt('loose te -did:read', 8, KEYS);
    expect(first).toMatchObject({ text: 'loose tenant:-did:read', caret: 13 });
  });
});
