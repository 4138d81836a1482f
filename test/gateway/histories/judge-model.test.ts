import { expect, it } from 'vitest';
import { judge } from './judge.ts';
import { isExplained } from './plain-judge.ts';
import { printHistory } from './print.ts';
import { createRandom } from './random.ts';
import { randomHistory } from './random-history.ts';

const HISTORIES = 6_000;
const MOST_OPERATIONS = 8;
/** A few seconds on an idle machine. */
const WITHIN_MS = 120_000;

it(
  'the judge agrees with every order tried one by one, on thousands of small histories',
  () => {
    const found = { explained: 0, wrong: 0 };
    for (let seed = 1; seed <= HISTORIES; seed += 1) {
      const history = randomHistory(createRandom(seed), MOST_OPERATIONS);
      const expected = isExplained(history) ? 'explained' : 'wrong';
      found[expected] += 1;
      expect(judge(history).kind, `seed ${seed}: ${printHistory(history)}`).toBe(expected);
    }
    // Neither answer is right by always being given.
    expect(Math.min(found.explained, found.wrong)).toBeGreaterThan(HISTORIES / 6);
  },
  WITHIN_MS,
);
