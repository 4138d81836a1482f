import { describe, expect, it } from 'vitest';
import { type ContentSchemaNode, readContentSchema } from '#gateway/contract/content-schema.ts';
import { compileContentSchema } from '#gateway/pipeline/content-check.ts';

function misfitOf(schema: ContentSchemaNode, content: unknown): string {
  const read = readContentSchema(JSON.stringify(schema));
  if (!read.ok) throw new Error(read.problem);
  const text = typeof content === 'string' && content.startsWith('raw:') ? content.slice(4) : JSON.stringify(content);
  const misfit = compileContentSchema(read.schema)(Buffer.from(text));
  return misfit === null ? 'fits' : `${misfit.path} ${misfit.reason}`;
}

describe('a keyword', () => {
  it.each<[ContentSchemaNode, unknown[], [unknown, string][]]>([
    [
      { type: 'object' },
      [{}],
      [
        [[], ' is not object'],
        [null, ' is not object'],
      ],
    ],
    [{ type: ['string', 'null'] }, ['', null], [[1, ' is not string or null']]],
    [
      { type: 'integer' },
      [1, 1.0, -3e5],
      [
        [1.5, ' is not integer'],
        ['1', ' is not integer'],
      ],
    ],
    [{ type: 'number' }, [1.5], [[true, ' is not number']]],
    [{ enum: ['a', 1, null] }, ['a', 1, null], [['1', ' is none of the allowed values']]],
    [{ const: false }, [false], [[0, ' is none of the allowed values']]],
    [{ const: 'a', enum: ['b'] }, [], [['a', ' is none of the allowed values']]],
    [
      { minLength: 2, maxLength: 3 },
      ['😀😀😀', 7],
      [
        ['a', ' is shorter than 2 characters'],
        ['abcd', ' is longer than 3 characters'],
      ],
    ],
    [{ maxLength: 9, pattern: '^[a-z]+$' }, ['abc', 1], [['aBc', ' does not match its pattern']]],
    [{ format: 'date' }, ['2026-12-31', 1], [['2026-13-01', ' is no date']]],
    [
      { format: 'date-time' },
      ['2026-12-31T23:59:60Z', '2026-01-01t00:00:00.5+01:00'],
      [['2026-12-31', ' is no date-time']],
    ],
    [{ format: 'uuid' }, ['0189D7E4-0000-7000-8000-000000000000'], [['x', ' is no uuid']]],
    [
      { minimum: 1, maximum: 2 },
      [1, 2, 'x'],
      [
        [0, ' is less than 1'],
        [3, ' is more than 2'],
      ],
    ],
    [
      { exclusiveMinimum: 1, exclusiveMaximum: 2 },
      [1.5],
      [
        [1, ' is not more than 1'],
        [2, ' is not less than 2'],
      ],
    ],
    [
      { minItems: 1, maxItems: 2, items: { type: 'number' } },
      [[1], {}],
      [
        [[], ' has fewer than 1 items'],
        [[1, 2, 3], ' has more than 2 items'],
        [[1, 'x'], '/1 is not number'],
      ],
    ],
    [
      { properties: { 'a/b~': { type: 'string' } }, required: ['a/b~'] },
      [{ 'a/b~': '', other: 1 }, 1],
      [
        [{}, '/a~1b~0 is missing'],
        [{ 'a/b~': 1 }, '/a~1b~0 is not string'],
      ],
    ],
    [{ required: ['toString'] }, [{ toString: 1 }], [[{}, '/toString is missing']]],
    [{ anyOf: [{ type: 'string' }, { minimum: 3 }] }, ['x', 4], [[1, ' fits none of the alternatives']]],
    [{}, [1, 'x', [], {}, null], []],
  ])('%j means what JSON Schema says', (schema, fitting, misfits) => {
    for (const content of fitting) expect(misfitOf(schema, content)).toBe('fits');
    for (const [content, said] of misfits) expect(misfitOf(schema, content)).toBe(said);
  });
});

it('a misfit never shows what is in the content', () => {
  const closed: ContentSchemaNode = { additionalProperties: false };
  expect(misfitOf(closed, { secretName: 1 })).toBe('/* is not allowed');
  expect(misfitOf({ additionalProperties: { type: 'string' } }, { secretName: 1 })).toBe('/* is not string');
  const deep: ContentSchemaNode = { additionalProperties: { items: { required: ['id'] } } };
  expect(misfitOf(deep, { secretName: [{}] })).toBe('/*/0/id is missing');
});

it.each(['raw:', 'raw:{', 'raw:{"a":1,"a":2}', 'raw:{"__proto__":1}', `raw:${'['.repeat(65)}${']'.repeat(65)}`])(
  '%s does not fit any schema',
  (content) => expect(misfitOf({}, content)).toContain('is no JSON in UTF-8'),
);

it('content larger than what is checked does not fit', () => {
  expect(misfitOf({}, `raw:"${'x'.repeat(262_143)}"`)).toContain('has more than 262144 bytes');
});

it('the worst content that a pattern can meet costs little', () => {
  const schema: ContentSchemaNode = { items: { type: 'string', maxLength: 256, pattern: '^.*x.*y$' } };
  const content = Array.from({ length: 1_000 }, () => 'x'.repeat(256));
  const began = process.cpuUsage();
  expect(misfitOf(schema, content)).toBe('/0 does not match its pattern');
  const any: ContentSchemaNode = { items: { anyOf: [schema.items ?? {}, { type: 'string' }] } };
  expect(misfitOf(any, content)).toBe('fits');
  expect(process.cpuUsage(began).user / 1_000).toBeLessThan(2_000);
});
