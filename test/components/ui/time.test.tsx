// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from 'vitest';
import { Time } from '#components/ui/time.tsx';
import { find, openPage, type Page } from './page.tsx';

let page: Page | undefined;
afterEach(() => {
  page?.close();
  page = undefined;
  vi.useRealTimers();
});

const NOON = Date.UTC(2026, 10, 12, 12);

it.each([
  ['second', '11:59:50', '10 Nov, 12:00:00'],
  ['clock', '11:59', '10 Nov, 12:00'],
] as const)('a moment in the style %s says its day unless that is today', (style, today, earlier) => {
  vi.useFakeTimers({ now: NOON });
  const at = (ms: number) => <Time ms={ms} style={style} />;
  page = openPage(at(NOON - 10_000), { zone: 'utc' });
  expect(find('time').textContent).toBe(today);
  page.show(at(NOON - 48 * 3_600_000));
  expect(find('time').textContent).toBe(earlier);
});
