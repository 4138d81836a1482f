import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseStrictJson } from '#gateway/pipeline/strict-json.ts';

const parse = (text: string) => parseStrictJson(Buffer.from(text));

test('every JSON text without doubtful keys comes out as JSON.parse gives it', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 6 }), (text) => {
      const value = JSON.parse(text);
      if (text.includes('__proto__')) return;
      // A generated text comes from a value, so it has no key twice.
      expect(parse(text)).toEqual({ ok: true, value, text });
    }),
  );
});

test.each([
  ['{"a":1,"a":2}', /"a" twice/],
  ['{"a":1,"\\u0061":2}', /"a" twice/],
  ['[{"b":{"x":1},"c":[],"b":2}]', /"b" twice/],
  ['{"__proto__":{}}', /__proto__/],
  ['{"\\u005f_proto__":{}}', /__proto__/],
  [`${'['.repeat(65)}${']'.repeat(65)}`, /deeper than 64/],
  ['{', /not JSON/],
  ['', /not JSON/],
  ['\uFEFF{}', /not JSON/],
])('%s is refused', (text, problem) => {
  expect(parse(text)).toEqual({ ok: false, problem: expect.stringMatching(problem) });
});

test('equal keys in different objects, and text that looks like keys, are fine', () => {
  expect(parse('[{"a":1},{"a":"a\\":"},{"b":{"a":1},"a":"{\\"a\\":"}]').ok).toBe(true);
});

test('a key that comes twice is found wherever it stands, among escapes, lists and empty objects', () => {
  const value = fc.json({ maxDepth: 3 });
  const key = fc.string({ unit: 'binary', maxLength: 4 }).filter((text) => text !== '__proto__');
  fc.assert(
    fc.property(key, value, value, fc.boolean(), (name, one, other, escaped) => {
      const again = escaped
        ? `"${[...name].map((c) => (c.length === 1 ? `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}` : c)).join('')}"`
        : JSON.stringify(name);
      if (!name.isWellFormed() || (escaped && /[\p{C}"\\]/u.test(name))) return;
      const text = `[{}, {"x${'y'.repeat(9)}" : [${one}], ${JSON.stringify(name)} :${other} , ${again}\n:{}}]`;
      expect(parse(text)).toEqual({ ok: false, problem: expect.stringContaining('twice') });
    }),
  );
});

test('bytes that are not UTF-8 are refused', () => {
  expect(parseStrictJson(Buffer.from([0x22, 0xff, 0x22]))).toEqual({ ok: false, problem: 'The body is not UTF-8.' });
});
