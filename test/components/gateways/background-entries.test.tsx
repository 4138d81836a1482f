// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest';
import { BackgroundEntries } from '#components/gateways/background-entries.tsx';
import type { BackgroundEntry, BackgroundPage } from '#server/contract/background.ts';
import { find, openPage, type Page } from '#test/components/ui/page.tsx';

let page: Page | undefined;
afterEach(() => {
  page?.close();
  page = undefined;
});

const DRIFTED: BackgroundEntry = {
  ...{ id: 'd~1', kind: 'drift', tenant: 'chat', type: 'User', objectId: 'ann', edge: null, items: 3, atMs: 1_000 },
  ...{ failures: 0, nextAtMs: 1_000, reason: null, parkedAtMs: 1_000, isAsked: false },
  drift: {
    counts: [{ edgeType: 'memberOf', counted: 3, listed: 2 }],
    bytes: { counted: 10, stored: 700 },
    inverses: [{ edgeType: 'memberOf', from: 'ann', to: 'r1', what: 'missing' }],
  },
};

function show(entry: BackgroundEntry | null, over: Partial<BackgroundPage> = {}) {
  const items = entry === null ? [] : [entry];
  const counts = { waiting: 0, parked: 0, sweeps: 0, drift: items.length };
  page = openPage(
    <BackgroundEntries
      page={{ items, total: items.length, counts, ranges: [], canAct: true, ...over }}
      list="drift"
      isTurning={false}
    />,
  );
  return page.body.textContent ?? '';
}

it('an object that drifted is shown with each difference, and is recounted by an act', () => {
  const text = show(DRIFTED);
  expect(text).toContain('User ann of chat');
  expect([...document.querySelectorAll('li')].map((line) => line.textContent)).toEqual([
    'counts 3 memberOf, its list has 2',
    'counts 10 bytes, 700 are stored',
    'no inverse of ann —memberOf→ r1',
  ]);
  expect(find('button[aria-label="Recount: User ann"]').textContent).toBe('Recount');
  expect(text).toContain('when somebody asks');
});

it('one that is being recounted, or could not be, says so', () => {
  expect(show({ ...DRIFTED, parkedAtMs: null })).toContain('being recounted');
  page?.close();
  const reason = { code: 'limit_exceeded', message: 'The object has 100000 items or more.' };
  expect(show({ ...DRIFTED, reason, failures: 1 })).toContain('recount refused: limit_exceeded The object has');
});

it('nothing that drifted is a state of its own', () => {
  expect(show(null)).toContain('Nothing drifted.');
});
