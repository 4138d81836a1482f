import { expect, test } from 'vitest';
import { storedWords } from '#components/definitions/stored-words.ts';

const users = { type: 'User', count: 1_204, bytes: 2_000_000 };
const members = { type: 'members', count: 1, bytes: 100 };

test.each([
  [[], 'nothing'],
  [[{ ...users, count: 0, bytes: 0 }], 'nothing'],
  [[users], '1,204 objects, 1.9 MB'],
  [[members], '1 edge, 100 B'],
  [[users, { ...users, type: 'Room', count: 6 }, members], '1,210 objects and 1 edge, 3.8 MB'],
])('what is stored in words: %j', (types, words) => {
  expect(storedWords({ types })).toBe(words);
});
