import { expect, test } from 'vitest';
import { shed } from '#gateway/pipeline/shed.ts';

const load = (inFlight: number, isLate: boolean) => ({
  enter: () => {},
  leave: () => {},
  inFlight: () => inFlight,
  maxInFlight: 1_024,
  isLate: () => isLate,
});

test('a worker with more requests than it can hold is overloaded, and says when to come back', () => {
  expect(shed(load(1_024, false))).toBeNull();
  expect(shed(load(1_025, false))).toMatchObject({ code: 'overloaded', retryAfterMs: 1_000 });
});

test('a late and busy worker is overloaded; a late one that has little to do is not', () => {
  expect(shed(load(64, true))).toMatchObject({ code: 'overloaded' });
  expect(shed(load(10, true))).toBeNull();
});
