import { describe, expect, it } from 'vitest';
import { judge } from './judge.ts';
import { RIGHT } from './right-histories.ts';
import { count, historyOf, link, list, made, unknown, unlink } from './written-history.ts';
import { WRONG } from './wrong-histories.ts';

describe('the judge of histories', () => {
  it.each(Object.entries(RIGHT))('explains: %s', (_, history) => {
    expect(judge(history)).toMatchObject({ kind: 'explained' });
  });

  it.each(Object.entries(WRONG))('rejects: %s', (_, history) => {
    expect(judge(history)).toMatchObject({ kind: 'wrong' });
  });

  it('says so when it gives up, and never that such a history is right', () => {
    const writes = Array.from({ length: 8 }, (_, index) => link([1 + index, 100 + index], `t${index % 3}`, unknown));
    expect(judge(historyOf([...writes, count([200, 201], 2), count([202, 203], 5)]), 10)).toEqual({
      ...{ kind: 'undecided', states: 10 },
    });
  });

  it('rejects a history with many unknown writes within its budget', () => {
    const writes = Array.from({ length: 26 }, (_, index) =>
      index % 2 === 0
        ? link([index, index], `t${index % 6}`, unknown)
        : unlink([index, index], `t${index % 5}`, unknown),
    );
    expect(judge(historyOf([...writes, link([50, 51], 'sure', made('1')), list([52, 53], [])]))).toMatchObject({
      kind: 'wrong',
    });
  });
});
