import { expect, it } from 'vitest';
import { costWords } from '#components/registry/cost-words.ts';

it('of an operation, its number and its unit no line breaks', () => {
  const words = costWords([
    { operation: 'object.put', ru: 5.1, requests: 1, cached: null },
    { operation: 'object.get', ru: 1, requests: 1, cached: null },
  ]);
  expect(words.split(' ')).toEqual(['get\u00a01.0\u00a0RU', '·', 'put\u00a05.1\u00a0RU']);
});
