import { expect, it } from 'vitest';
import { readContentSchema } from '#gateway/contract/content-schema.ts';

const problemOf = (schema: unknown) => {
  const read = readContentSchema(typeof schema === 'string' ? schema : JSON.stringify(schema));
  return read.ok ? 'none' : read.problem;
};

const text = (pattern: string, maxLength = 256) => ({ type: 'string', maxLength, pattern });
const nested = (levels: number): object => (levels === 0 ? {} : { items: nested(levels - 1) });

it.each([
  ['{', 'The schema is no JSON.'],
  ['[]', 'The schema is not valid'],
  [{ $ref: '#' }, 'has $ref, which Habitat does not check'],
  [{ properties: { a: { uniqueItems: true } } }, 'at properties.a has uniqueItems'],
  [{ type: 'text' }, 'at type is not valid'],
  [{ minLength: -1 }, 'at minLength is not valid'],
  [nested(16), 'nests deeper than 16 levels'],
  [{ properties: Object.fromEntries(Array.from({ length: 500 }, (_, k) => [`p${k}`, {}])) }, 'has 501 parts'],
  [`"${'x'.repeat(32_768)}"`, 'at most 32,768 characters'],
])('%j is refused', (schema, problem) => {
  expect(problemOf(schema)).toContain(problem);
});

it('thousands of levels are refused without being walked', () => {
  expect(problemOf(`${'{"items":'.repeat(3_000)}{}${'}'.repeat(3_000)}`)).toContain('nests deeper than 16 levels');
});

it('what is at the limits is taken', () => {
  expect(problemOf(nested(15))).toBe('none');
  expect(problemOf({ properties: Object.fromEntries(Array.from({ length: 499 }, (_, k) => [`p${k}`, {}])) })).toBe(
    'none',
  );
});

it.each(['^[a-z][a-z0-9_]{0,47}$', '^[A-Z]{2}-\\d+$', '^\\d{4}\\.\\d{2}$', '^.*x.*$', '^[^\\]]+$', '^$'])(
  'the pattern %s is taken',
  (pattern) => expect(problemOf(text(pattern))).toBe('none'),
);

it.each([
  '^(a+)+$',
  '^(a|a)*$',
  'a*',
  '^a$|^b$',
  '^\\b$',
  '^(?=a)a$',
  '^a*a*a*$',
  '^a**$',
  '^[z-a]$',
  '^a{3,1}$',
  '^\\1$',
  '^\\$',
])('the pattern %s is refused', (pattern) => expect(problemOf(text(pattern))).not.toBe('none'));

it('a pattern needs a short text', () => {
  expect(problemOf(text('^a+$', 257))).toContain('maxLength of at most 256');
  expect(problemOf({ pattern: '^a+$' })).toContain('maxLength of at most 256');
});
