import { expect, test } from 'vitest';
import { readFilter } from '#components/definitions/use-list-filter.ts';

const KEYS = [
  { key: 'team', about: 'the owner', values: ['mine', 'chat'] },
  { key: 'kind', about: 'what it is' },
];

test('tokens and free text of a list are told apart', () => {
  expect(readFilter('team:mine kind:edge "two words" Message', KEYS)).toEqual({
    values: { team: 'mine', kind: 'edge' },
    words: 'two words Message',
    error: undefined,
  });
  expect(readFilter('', KEYS)).toEqual({ values: {}, words: undefined, error: undefined });
});

test.each([
  ['owner:chat', 'This list filters by team:, kind: and free text.'],
  ['-team:chat', 'This list has no negation.'],
  ['team:other', 'team: is one of mine, chat.'],
  ['kind:a kind:b', 'kind: stands once in this list.'],
])('what a list cannot answer is said, never ignored: %s', (text, error) => {
  expect(readFilter(text, KEYS).error).toBe(error);
});
