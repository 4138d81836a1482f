import { expect, it } from 'vitest';
import { createRuBudget } from '#gateway/emulator/regions/ru-budget.ts';

it('holds one second of the limit, however long it was not used', () => {
  const budget = createRuBudget();
  expect(budget.waitMs('p', 100, 0)).toBe(0);
  expect(budget.waitMs('p', 100, 60_000)).toBe(0);
  budget.charge('p', 150);
  expect(budget.waitMs('p', 100, 60_000)).toBe(501);
  expect(budget.waitMs('p', 100, 60_501)).toBe(0);
});

it('a clock that is set back gives nothing and takes nothing', () => {
  const budget = createRuBudget();
  budget.waitMs('p', 100, 10_000);
  budget.charge('p', 200);
  expect(budget.waitMs('p', 100, 5_000)).toBe(1_001);
  expect(budget.waitMs('p', 100, 6_001)).toBe(0);
});

it('forgets partitions that are full again, and never one in debt', () => {
  const budget = createRuBudget();
  budget.waitMs('debtor', 10, 0);
  budget.charge('debtor', 1_000_000);
  for (let n = 0; n < 20_000; n += 1) {
    budget.waitMs(`p${n}`, 10, n);
    budget.charge(`p${n}`, 1);
  }
  expect(budget.waitMs('debtor', 10, 20_000)).toBeGreaterThan(90_000_000);
  expect(budget.size()).toBeLessThan(10_000);
});
