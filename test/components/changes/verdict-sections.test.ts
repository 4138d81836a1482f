import { expect, it } from 'vitest';
import { progressWords, verdictSections, verdictTitle } from '#components/changes/verdict-sections.ts';
import type { ChangeDetail } from '#server/contract/changes.ts';
import { SLOW_SECTIONS } from '#server/contract/rules.ts';

const row = { release: null } as ChangeDetail['row'];

it('an empty change is said to be unchecked, not clean', () => {
  expect(verdictTitle({ row }, { findings: [], isEmpty: true })).toBe('Nothing is checked: the change has no edits.');
  expect(verdictTitle({ row }, { findings: [], isEmpty: false })).not.toContain('Nothing is checked');
});

it('a slow part without a result is not one in which nothing was found', () => {
  const going = verdictSections([], []).filter((one) => progressWords(one) !== undefined);
  expect(going.map(({ section }) => section)).toEqual([...SLOW_SECTIONS]);
});
