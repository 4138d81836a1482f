import { describe, expect, it } from 'vitest';
import {
  formatBytes,
  formatCount,
  formatShare,
  formatShort,
  formatTotal,
  plural,
} from '#components/ui/format-number.ts';
import { formatMs, formatSpan, formatTime } from '#components/ui/format-time.ts';
import { COOKIES, readPreferences } from '#components/ui/preference-cookies.ts';

describe('figures carry units', () => {
  it.each([
    [formatMs(0.4234), '0.42\u00a0ms'],
    [formatMs(31.4), '31\u00a0ms'],
    [formatMs(302_000), '5\u00a0min'],
    [formatMs(1900), '1.9\u00a0s'],
    [formatSpan(40_000), '40\u00a0s'],
    [formatSpan(4 * 60_000), '4\u00a0min'],
    [formatSpan(26 * 3_600_000), '26\u00a0h'],
    [formatSpan(12 * 86_400_000), '12\u00a0d'],
    [formatShort(950), '950'],
    [formatShort(1200), '1.2\u00a0k'],
    [formatShort(412_903), '413\u00a0k'],
    [formatShort(1_400_000), '1.4\u00a0M'],
    [formatBytes(512), '512\u00a0B'],
    [formatBytes(1_000), '1,000\u00a0B'],
    [formatBytes(65_536), '64\u00a0KB'],
    [formatBytes(0), '0\u00a0B'],
    [formatShare(0.0002), '0.02\u00a0%'],
    [formatShare(0.92), '92\u00a0%'],
    [formatCount(41_200), '41,200'],
    [formatTotal(10_000), '10,000'],
    [formatTotal(10_001), 'more than 10,000'],
    [plural(1, 'row'), '1 row'],
    [plural(2, 'policy', 'policies'), '2 policies'],
  ])('%s', (shown, wanted) => {
    expect(shown).toBe(wanted);
  });
});

describe('a moment', () => {
  it('is shown to the millisecond in the audit log and in the zone asked for', () => {
    const ms = Date.UTC(2026, 2, 12, 13, 36, 58, 120);
    expect(formatTime(ms, 'ms', 'UTC')).toBe('13:36:58.120');
    expect(formatTime(ms, 'clock', 'Asia/Kolkata')).toBe('19:06');
    expect(formatTime(Date.UTC(2026, 2, 12, 0, 5), 'clock', 'UTC')).toBe('00:05');
  });
});

describe('preferences', () => {
  it('come from cookies, and anything unknown is the default', () => {
    const jar = new Map([
      [COOKIES.theme, 'dark'],
      [COOKIES.zone, 'mars'],
    ]);
    expect(readPreferences((name) => jar.get(name))).toEqual({
      theme: 'dark',
      zone: 'local',
      singleKeys: 'on',
      sidebar: 'open',
      firstSteps: 'shown',
    });
  });
});
