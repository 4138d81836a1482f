import { expect, it } from 'vitest';
import { judge } from '#server/publication/judge-evidence.ts';

const side = (more: object = {}) => ({ gateways: ['gw'], requests: 10_000, failed: 0, refused: 0, p99Ms: 30, ...more });
const verdict = (stage: object, others: object = {}, narrows = false) =>
  judge({ stage: side(stage), others: side(others), narrows });

it('with too few requests says how many there are and nothing else', () => {
  expect(verdict({ requests: 37, failed: 37 })).toEqual({
    verdict: 'not enough requests',
    says: 'Not enough requests to compare: 37 with the new release, 10,000 without; each side needs 200.',
  });
  expect(verdict({}, { requests: 0 }).verdict).toBe('not enough requests');
});

it('a larger share of failures is worse, chance is not', () => {
  expect(verdict({ failed: 200 }, { failed: 10 })).toEqual({ verdict: 'worse', says: 'Failed 2.00 % against 0.10 %.' });
  // Sure, but too small to halt for; large, but no more than chance in so few.
  expect(verdict({ requests: 1_000_000, failed: 3_000 }, { requests: 1_000_000 }).verdict).toBe('no worse');
  expect(verdict({ requests: 200, failed: 2 }, { requests: 200 }).verdict).toBe('no worse');
});

it('refusals are worse unless the change says that somebody may do less', () => {
  expect(verdict({ refused: 900 }).says).toContain('its change does not say that anybody may do less');
  expect(verdict({ refused: 900 }, {}, true).verdict).toBe('no worse');
  expect(verdict({ refused: 900, failed: 900 }, {}, true).verdict).toBe('worse');
});

it('a p99 half as long again is worse, a few milliseconds are not, and an unknown one is not compared', () => {
  expect(verdict({ p99Ms: 147 })).toEqual({ verdict: 'worse', says: 'p99 147 ms against 30 ms.' });
  expect(verdict({ p99Ms: 9 }, { p99Ms: 3 }).verdict).toBe('no worse');
  expect(verdict({ p99Ms: 147 }, { p99Ms: null })).toEqual({
    verdict: 'no worse',
    says: 'Failed 0.0 % against 0.0 %, refused 0.0 % against 0.0 %.',
  });
});
