import { expect, it } from 'vitest';
import { planStages } from '#server/publication/plan-stages.ts';

const fleet = (size: number) => Array.from({ length: size }, (_, index) => `gw-${index}`);
const sizes = (size: number) => planStages(fleet(size)).map(({ length }) => length);

it('one gateway has no stages; under four it is one, then all; else a tenth, half, all', () => {
  expect([0, 1, 2, 3, 4, 5, 20, 50].map(sizes)).toEqual([[], [], [1], [1], [1, 1], [1, 2], [2, 8], [5, 20]]);
});

it('the same gateways go first each time, in whatever order they are named, and never twice', () => {
  const stages = planStages(fleet(20));
  expect(planStages(fleet(20).toReversed())).toEqual(stages);
  expect(new Set(stages.flat()).size).toBe(10);
  // Not simply the first by name.
  expect(stages[0]).not.toEqual(['gw-0', 'gw-1']);
});
