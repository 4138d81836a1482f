import { expect, it } from 'vitest';
import { printHistory } from './print.ts';
import { firstUnexplained, shrink } from './shrink.ts';
import { count, get, historyOf, link, made, put, replaced } from './written-history.ts';

it('cuts a wrong history down to what makes it wrong, and prints that', () => {
  const noise = Array.from({ length: 20 }, (_, index) => [
    link([10 * index + 1, 10 * index + 2], 'x', index === 0 ? made('1') : replaced(String(index + 1))),
    count([10 * index + 3, 10 * index + 4], 1),
  ]).flat();
  const wrong = [put([301, 302], 'a', made('1')), put([303, 304], 'b', replaced('2')), get([305, 306], 'a@1')];
  const smallest = shrink(
    historyOf([
      ...noise,
      ...wrong,
      ...noise.map((one) => ({ ...one, calledAt: one.calledAt + 500, endedAt: one.endedAt + 500 })),
    ]),
  );
  expect(smallest.entries.map(({ id }) => id)).toEqual([41, 42, 43]);
  expect(printHistory(smallest).split('\n').slice(1)).toEqual([
    '#41 c0 [301, 302] object.put mark=a → created at 1   (gw-a/1; critical)',
    '#42 c0 [303, 304] object.put mark=b → replaced at 2   (gw-a/1; critical)',
    '#43 c0 [305, 306] object.get → a at 1   (gw-a/1; critical)',
  ]);
});

it('says whose outcome is the first that nothing explains, whatever comes later', () => {
  const right = [link([1, 2], 'x', made('1')), count([3, 4], 1), link([5, 8], 'y', made('2'))];
  const wrong = count([6, 7], 3);
  const later = [count([9, 10], 2), count([11, 12], 5)];
  expect(firstUnexplained(historyOf([...right, wrong, ...later]))?.id).toBe(4);
  expect(firstUnexplained(historyOf(right))).toBeNull();
});
