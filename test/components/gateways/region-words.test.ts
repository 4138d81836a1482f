import { expect, test } from 'vitest';
import { attemptWords, awayWords, connectionWords, hedgeWords, reuseWords } from '#components/gateways/region-words.ts';
import { storeRegion } from '#test/support/store-region.ts';

test('a region in words: connections, their use, attempts, hedges', () => {
  const east = storeRegion('East');
  expect([connectionWords(east), reuseWords(east), attemptWords(east), hedgeWords(east)]).toEqual([
    '8 open, 6 idle, no request waits',
    '120 requests a connection',
    '1,204, 3 failed, 12 throttled',
    '4 sent here, 3 used',
  ]);
});

test('what did not happen is said as that', () => {
  const connections = { open: 0, idle: 0, waiting: 0, opened: 0, requests: 0 };
  const idle = storeRegion('West', { attempts: 0, failures: 0, throttled: 0, hedges: 0, hedgesWon: 0, connections });
  expect([connectionWords(idle), reuseWords(idle), attemptWords(idle), hedgeWords(idle)]).toEqual([
    'none open',
    null,
    'none yet',
    'none sent here',
  ]);
  expect(attemptWords({ ...idle, attempts: 7 })).toBe('7, none failed');
  expect(connectionWords({ ...idle, connections: { ...connections, open: 2, waiting: 3 } })).toBe(
    '2 open, 0 idle, 3 wait for one',
  );
});

test('regions that do not answer are named, many are counted', () => {
  const away = (region: string) => storeRegion(region, { breaker: 'open' });
  expect(awayWords([storeRegion('East'), storeRegion('West')])).toBeNull();
  expect(awayWords([storeRegion('East'), away('West')])).toBe('West away');
  expect(awayWords([away('East'), { ...away('West'), breaker: 'halfOpen' }])).toBe('East and West away');
  expect(awayWords([away('East'), away('West'), away('North')])).toBe('3 regions away');
});
