import { describe, expect, it } from 'vitest';
import {
  localDateTimeText,
  parseLocalDateTime,
  readTimeRange,
  resolveTimeRange,
  shiftTimeRange,
  timeRangeParams,
  zoomTimeRange,
} from '#components/ui/range-value.ts';

const NOW = Date.UTC(2026, 2, 12, 14, 0);
const HOUR = 3_600_000;

describe('the time a page looks at', () => {
  it('comes back from the URL as it was put there', () => {
    for (const value of [
      { kind: 'relative', range: '6h' },
      { kind: 'absolute', fromMs: NOW - HOUR, toMs: NOW },
    ] as const) {
      const search = new URLSearchParams(
        Object.entries(timeRangeParams(value)).filter((entry): entry is [string, string] => entry[1] !== null),
      );
      expect(readTimeRange(search)).toEqual(value);
    }
  });

  it.each(['from=9&to=3', 'from=x&to=5', 'range=9y', 'from=1', 'range=toString', ''])('falls back on %j', (query) => {
    expect(readTimeRange(new URLSearchParams(query), '24h')).toEqual({ kind: 'relative', range: '24h' });
  });

  it('goes earlier by half a width and never later than now', () => {
    expect(shiftTimeRange({ kind: 'relative', range: '1h' }, -1, NOW)).toEqual({
      kind: 'absolute',
      fromMs: NOW - 1.5 * HOUR,
      toMs: NOW - HOUR / 2,
    });
    expect(resolveTimeRange(shiftTimeRange({ kind: 'relative', range: '1h' }, 1, NOW), NOW).toMs).toBe(NOW);
  });

  it('zooms around the middle, out to now at most and in to a minute at least', () => {
    expect(zoomTimeRange({ kind: 'absolute', fromMs: NOW - 3 * HOUR, toMs: NOW - 2 * HOUR }, 2, NOW)).toEqual({
      kind: 'absolute',
      fromMs: NOW - 3.5 * HOUR,
      toMs: NOW - 1.5 * HOUR,
    });
    expect(resolveTimeRange(zoomTimeRange({ kind: 'relative', range: '1h' }, 2, NOW), NOW).toMs).toBe(NOW);
    const minute = zoomTimeRange({ kind: 'absolute', fromMs: NOW - 60_000, toMs: NOW }, 0.5, NOW);
    expect(resolveTimeRange(minute, NOW)).toEqual({ fromMs: NOW - 60_000, toMs: NOW });
  });

  it.each(['utc', 'local'] as const)('is typed and shown in %s time alike', (zone) => {
    expect(parseLocalDateTime(localDateTimeText(NOW, zone), zone)).toBe(NOW);
    expect(parseLocalDateTime('', zone)).toBeUndefined();
  });
});
