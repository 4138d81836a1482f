import { expect, it } from 'vitest';
import { createRandom, type Random } from './random.ts';
import { search } from './search.ts';
import type { Step } from './step.ts';

const MACHINES = 12_000;
/** A few seconds on an idle machine. */
const WITHIN_MS = 120_000;
const STATES = [0, 1, 2, 3];

it(
  'the search agrees with every order tried one by one, whatever its steps do',
  () => {
    const found = { explained: 0, impossible: 0 };
    for (let seed = 1; seed <= MACHINES; seed += 1) {
      const steps = randomSteps(createRandom(seed));
      const expected = hasOrder(steps, steps, 0) ? 'explained' : 'impossible';
      found[expected] += 1;
      const verdict = search(steps, { initial: 0, keyOf: String, budget: 100_000 });
      expect(verdict.kind, `seed ${seed}`).toBe(expected);
      if (verdict.kind === 'explained') expect(follows(steps, verdict.order), `seed ${seed}`).toBe(true);
    }
    // Neither answer is right by always being given.
    expect(Math.min(found.explained, found.impossible)).toBeGreaterThan(MACHINES / 5);
  },
  WITHIN_MS,
);

/** Reads that fit some states, and writes that lead from some states to others; some of them may never have happened. */
function randomSteps(random: Random): Step<number>[] {
  const maps = Array.from({ length: 4 }, () => STATES.map(() => (random.chance(30) ? null : random.one(STATES))));
  return Array.from({ length: 4 + random.below(4) }, (_, index): Step<number> => {
    const kind = random.weighted({ read: 3, sure: 3, optional: 4 });
    const after = STATES.filter((earlier) => earlier < index && random.chance(25));
    const fits = STATES.map((state) => (random.chance(40) ? state : null));
    const map = kind === 'read' ? fits : random.one(maps);
    return {
      apply: (state) => map[state] ?? null,
      isRead: kind === 'read',
      optional: kind === 'optional' ? map.join() : null,
      after,
    };
  }).map((step, _, all) => ({ ...step, after: step.after.filter((earlier) => all[earlier]?.optional === null) }));
}

/** By trying every choice of the optional steps in every order. */
function hasOrder(all: readonly Step<number>[], left: readonly Step<number>[], state: number): boolean {
  if (left.every(({ optional }) => optional !== null)) return true;
  return left.some((step) => {
    const next = step.after.some((earlier) => left.some((one) => one === all[earlier])) ? null : step.apply(state);
    return next !== null && hasOrder(all, without(left, step), next);
  });
}

function without(steps: readonly Step<number>[], gone: Step<number>): Step<number>[] {
  return steps.filter((step) => step !== gone);
}

/** Whether an order is one: every sure step in it, each after what comes before it, each with the outcome that it had. */
function follows(steps: readonly Step<number>[], order: readonly number[]): boolean {
  const isAfterItsEarlier = order.every((index, at) =>
    steps[index]?.after.every((earlier) => order.slice(0, at).includes(earlier)),
  );
  const end = order.reduce<number | null>(
    (state, index) => (state === null ? null : (steps[index]?.apply(state) ?? null)),
    0,
  );
  const isWhole = steps.every(({ optional }, index) => optional !== null || order.includes(index));
  return end !== null && isAfterItsEarlier && isWhole && new Set(order).size === order.length;
}
