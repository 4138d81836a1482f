import { expect, test } from 'vitest';
import { backgroundSentence } from '#components/gateways/background-sentence.ts';
import type { BackgroundRange } from '#server/contract/background.ts';

const WELL: BackgroundRange = {
  ...{ range: 'feed-0', gateway: 'gw-a', lagMs: 0, repaired: 3, problem: null, reportedAtMs: 0, isSilent: false },
};
const none = { waiting: 0, parked: 0, sweeps: 0, drift: 0 };

test.each([
  [none, [WELL], 'Nothing is left behind.'],
  [none, [], 'Nothing is left behind; no gateway has told of its work yet.'],
  [
    { ...none, waiting: 1, parked: 1, sweeps: 1 },
    [WELL],
    '1 entry is parked, 1 entry waits for another try, 1 object is being deleted.',
  ],
  [
    { waiting: 1_200, parked: 2, sweeps: 3, drift: 1 },
    [WELL],
    '2 entries are parked, 1,200 entries wait for another try, 3 objects are being deleted, 1 object drifted.',
  ],
  [
    none,
    [WELL, { ...WELL, isSilent: true, problem: 'x' }],
    'Nothing is left behind; 1 of 2 ranges not heard of lately.',
  ],
  [none, [{ ...WELL, problem: 'x' }], 'Nothing is left behind; 1 of 1 range cannot go on.'],
  [none, [WELL, { ...WELL, lagMs: 90_000 }], 'Nothing is left behind; 1 of 2 ranges behind.'],
])('background work in one sentence: %j', (counts, ranges, sentence) => {
  expect(backgroundSentence({ counts, ranges })).toBe(sentence);
});
