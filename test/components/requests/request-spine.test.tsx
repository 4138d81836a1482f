// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest';
import { requestSpine } from '#components/requests/request-spine.tsx';
import { Spine } from '#components/ui/spine.tsx';
import { openPage, type Page } from '#test/components/ui/page.tsx';
import { recordOf } from '#test/support/shipments.ts';

let page: Page | undefined;
afterEach(() => {
  page?.close();
  page = undefined;
});

const RECORD = recordOf('req_1', Date.UTC(2026, 11, 1, 3, 4, 5, 754), {
  durationUs: 29_000,
  stages: { queue: 570, auth: 17, policy: 43, admit: 27, store: 28_000 },
  quota: { dimension: 'reads', limitPerSecond: 100, remaining: 99 },
});

it('the first entry names the moment to the millisecond, each later one how long after the first byte it was', () => {
  page = openPage(<Spine label="Spine" entries={requestSpine(RECORD)} />, { zone: 'utc' });
  const times = [...page.body.querySelectorAll('li .text-meta')].map((each) => each.textContent);
  expect(times).toEqual(['03:04:05.754', '+587\u00a0µs', '+630\u00a0µs', '+657\u00a0µs', '+29\u00a0ms', '+29\u00a0ms']);
});
