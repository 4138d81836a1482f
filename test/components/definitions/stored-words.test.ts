import { expect, test } from 'vitest';
import { largestWords, storedWords } from '#components/definitions/stored-words.ts';

const users = { type: 'User', count: 1_204, bytes: 2_000_000 };
const members = { type: 'members', count: 1, bytes: 100 };

test.each([
  [[], 'nothing'],
  [[{ ...users, count: 0, bytes: 0 }], 'nothing'],
  [[users], '1,204 objects, 1.9\u00a0MB'],
  [[members], '1 edge, 100\u00a0B'],
  [[users, { ...users, type: 'Room', count: 6 }, members], '1,210 objects and 1 edge, 3.8\u00a0MB'],
])('what is stored in words: %j', (types, words) => {
  expect(storedWords({ types })).toBe(words);
});

test.each([
  [1_000, '1,000\u00a0B'],
  [2 ** 30, '1\u00a0GB, 6.3\u00a0% of the 16\u00a0GB that one may fill,'],
  [16 * 2 ** 30, '16\u00a0GB, 100\u00a0% of the 16\u00a0GB that one may fill,'],
])('the largest object of %i bytes in words', (bytes, words) => {
  expect(largestWords(bytes)).toBe(words);
});
